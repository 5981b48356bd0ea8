// A crew's border with other processes: brothers lent out, guests taken in.
#pragma once

#include <algorithm>
#include <cassert>
#include <list>
#include <map>
#include <mutex>

#include "search/border.h"
#include "search/split.h"

namespace crossboard {

template <GamePosition P, Evaluator<P> E>
class Exchange final : public Border<P>,
                       public Neighbours<Worker<P, E>, typename Worker<P, E>::Frame> {
  public:
    using Member = Worker<P, E>;
    using Frame = typename Member::Frame;
    using typename Border<P>::News;

    // A crew is there only while a search goes on.
    void set_crew(Crew<P, E>* crew) {
        const std::lock_guard lock(mutex_);
        crew_ = crew;
        waiting_.assign(crew ? crew->workers().size() : 0, Waiting{});
    }

    bool host(Member& worker, std::size_t number, const Frame* below) override {
        Guest* guest = nullptr;
        {
            const std::lock_guard lock(mutex_);
            assert(number < waiting_.size());
            waiting_[number] = {};
            const auto found = std::find_if(
                guests_.begin(), guests_.end(),
                [below](const Guest& each) { return !each.is_taken && each.may_be_taken(below); });
            if (found == guests_.end()) return false;
            guest = &*found;
            guest->is_taken = true;
        }
        std::optional<Outcome<P>> outcome = worker.search_guest(guest->parent, guest->parcel);
        const std::lock_guard lock(mutex_);
        departures_.push_back({guest->ticket, std::move(outcome)});
        guests_.remove_if([guest](const Guest& each) { return &each == guest; });
        return true;
    }

    void wait(std::size_t number, const Frame* below) override {
        const std::lock_guard lock(mutex_);
        assert(number < waiting_.size());
        waiting_[number] = {true, below};
    }
    void stop_waiting(std::size_t number) override {
        const std::lock_guard lock(mutex_);
        assert(number < waiting_.size());
        waiting_[number] = {};
    }

    std::optional<std::pair<int, Parcel<P>>> lend(int min_depth,
                                                  std::optional<int> guest) override {
        const std::lock_guard lock(mutex_);
        if (!crew_) return std::nullopt;
        const Frame* below = nullptr;
        if (guest) {
            const Guest* host = find_guest(*guest);
            if (!host) return std::nullopt;
            below = &host->parent;
        }
        for (const auto& worker : crew_->workers()) {
            auto loot = worker->give(below, min_depth);
            if (!loot) continue;
            const auto& node = *loot->frame->node;
            const auto& move = node.moves[loot->choice.index];
            Parcel<P> parcel{node.position.after(move),
                             loot->frame->path,
                             node.ply + 1,
                             child_depth(node, loot->choice),
                             loot->choice.reduction,
                             loot->alpha,
                             loot->beta};
            parcel.path.push(parcel.child.key(), node.position.is_irreversible(move));
            const int number = next_++;
            lent_.emplace(number, Lent{*loot, worker.get(), loot->alpha, loot->beta});
            return std::pair(number, std::move(parcel));
        }
        return std::nullopt;
    }

    void settle(int lent, const std::optional<Outcome<P>>& outcome) override {
        assert(!outcome || outcome->is_valid());
        const std::lock_guard lock(mutex_);
        const auto found = lent_.find(lent);
        if (found == lent_.end()) return;
        Line<typename P::Move> line;
        if (outcome)
            for (const auto& move : outcome->line) line.moves[line.size++] = move;
        const Lent& entry = found->second;
        entry.owner->take_back(entry.loot, outcome ? std::optional(outcome->value) : std::nullopt,
                               outcome ? outcome->rests_on : RESTS_ON_NOTHING, line);
        lent_.erase(found);
    }

    void receive(int ticket, const Parcel<P>& parcel, std::optional<int> lent) override {
        assert(parcel.is_valid());
        const std::lock_guard lock(mutex_);
        Guest& guest = guests_.emplace_back();
        guest.ticket = ticket;
        guest.parcel = parcel;
        guest.parent.ply = parcel.ply - 1;
        guest.parent.alpha = parcel.alpha;
        guest.parent.beta = parcel.beta;
        if (lent)
            if (const auto found = lent_.find(*lent); found != lent_.end())
                guest.from = found->second.loot.frame;
    }

    void narrow(int ticket, Value alpha, Value beta) override {
        const std::lock_guard lock(mutex_);
        if (Guest* guest = find_guest(ticket)) {
            guest->parent.alpha = alpha;
            guest->parent.beta = beta;
        }
    }

    void abort(int ticket) override {
        const std::lock_guard lock(mutex_);
        if (Guest* guest = find_guest(ticket)) guest->parent.is_cut = true;
    }

    News news() override {
        const std::lock_guard lock(mutex_);
        News news;
        news.departures.swap(departures_);
        // A guest that nobody here is free to take goes back unsearched: if it waited, and others
        // for it, all might come to wait for each other.
        std::erase_if(guests_, [&](Guest& guest) {
            if (guest.is_taken) return false;
            const bool is_welcome = !guest.parent.is_cut && somebody_waits_for(guest);
            if (is_welcome || (!guest.parent.is_cut && guest.patience-- > 0)) return false;
            news.departures.push_back({guest.ticket, std::nullopt});
            return true;
        });
        for (auto& [number, lent] : lent_) {
            const Frame& frame = *lent.loot.frame;
            const Value alpha = frame.alpha, beta = frame.beta;
            const bool is_dead = frame.is_dead();
            if (alpha == lent.alpha && beta == lent.beta && is_dead == lent.is_dead) continue;
            lent.alpha = alpha;
            lent.beta = beta;
            lent.is_dead = is_dead;
            news.windows.push_back({number, alpha, beta, is_dead});
        }
        for (const Waiting& waiting : waiting_) {
            if (!waiting.is_waiting) continue;
            if (!waiting.below) {
                ++news.idle;
                continue;
            }
            for (const auto& [number, lent] : lent_)
                if (lent.loot.frame->is_below(waiting.below)) news.awaited.push_back(number);
        }
        return news;
    }

    void set_carrier(std::function<void()> carrier) override { carrier_ = std::move(carrier); }
    bool has_carrier() const { return carrier_ != nullptr; }
    void carry() override {
        if (carrier_) carrier_();
    }

  private:
    struct Lent {
        typename Member::Loot loot;
        Member* owner;
        Value alpha, beta;  // as last told
        bool is_dead = false;
    };
    struct Guest {
        int ticket = 0;
        Parcel<P> parcel;
        Frame parent;           // stands for the node in the other process
        Frame* from = nullptr;  // of the lent brother that the guest comes from below of
        bool is_taken = false;
        int patience = 2;  // a worker that is free may just be looking for work elsewhere

        bool may_be_taken(const Frame* below) const {
            return !below || (from && from->is_below(below));
        }
    };
    struct Waiting {
        bool is_waiting = false;
        const Frame* below = nullptr;
    };

    bool somebody_waits_for(const Guest& guest) const {
        return std::any_of(waiting_.begin(), waiting_.end(), [&guest](const Waiting& waiting) {
            return waiting.is_waiting && guest.may_be_taken(waiting.below);
        });
    }

    Guest* find_guest(int ticket) {
        for (Guest& guest : guests_)
            if (guest.ticket == ticket) return &guest;
        return nullptr;
    }

    std::function<void()> carrier_;
    std::mutex mutex_;
    Crew<P, E>* crew_ = nullptr;
    int next_ = 0;
    std::map<int, Lent> lent_;
    std::list<Guest> guests_;  // a list: frames are pointed to and do not move
    std::vector<typename News::Departure> departures_;
    std::vector<Waiting> waiting_;  // one for each worker
};

}  // namespace crossboard
