// An evaluation that remembers a few of the positions it is asked about, drawn at random.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "rules/random.h"
#include "search/evaluator.h"

namespace crossboard {

// Which calls of a search's evaluation are remembered: their numbers are drawn before it begins.
template <class P>
class Sampler {
  public:
    // Forgets the positions; of about `calls` calls to come, `count` are remembered.
    void plan(int count, std::uint64_t calls, Random& random) {
        taken_.clear();
        due_.clear();
        for (int i = 0; i < count; ++i)
            due_.push_back(1 + (random.next() >> 11) % std::max<std::uint64_t>(calls, 1));
        std::sort(due_.begin(), due_.end(), std::greater<>());
        calls_ = 0;
        next();
    }

    void see(const P& position) {
        if (++calls_ < due_now_) return;
        taken_.push_back(position);
        next();
    }

    const std::vector<P>& taken() const { return taken_; }

  private:
    void next() {
        while (!due_.empty() && due_.back() <= calls_) due_.pop_back();
        due_now_ = due_.empty() ? std::numeric_limits<std::uint64_t>::max() : due_.back();
    }

    std::vector<P> taken_;
    std::vector<std::uint64_t> due_;  // the latest first
    std::uint64_t calls_ = 0;
    std::uint64_t due_now_ = std::numeric_limits<std::uint64_t>::max();
};

// The sampler must outlive the evaluation and its copies, which search one at a time.
template <class P, Evaluator<P> E>
class Sampling {
  public:
    Sampling(const E& evaluator, Sampler<P>* sampler) : evaluator_(evaluator), sampler_(sampler) {}

    Value evaluate(const P& position) {
        sampler_->see(position);
        return evaluator_.evaluate(position);
    }
    int units() const { return evaluator_.units(); }

    Value hundredths(const P& position)
        requires SquashedEvaluator<E, P>
    {
        sampler_->see(position);
        return evaluator_.hundredths(position);
    }
    Value squashed(Value hundredths)
        requires SquashedEvaluator<E, P>
    {
        return evaluator_.squashed(hundredths);
    }

  private:
    E evaluator_;
    Sampler<P>* sampler_;
};

}  // namespace crossboard
