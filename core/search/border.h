// What crosses the border between processes that search one tree together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "search/line.h"
#include "search/path.h"

namespace crossboard {

// A young brother on its way to another process.
template <class P>
struct Parcel {
    P child;
    Path path;  // to the child, with it
    int ply = 0;
    int depth = 0;
    int reduction = 0;        // of the depth, for the first look
    Value alpha = -INFINITE;  // of its parent
    Value beta = INFINITE;

    bool is_valid() const {
        return 0 < ply && ply < MAX_PLY && -1 <= depth && depth < MAX_DEPTH && 0 <= reduction &&
               reduction <= std::max(depth, 0) && is_window(alpha, beta) &&
               path.ends_at(child.key());
    }
};

// What came out of it; from the parent's view.
template <class P>
struct Outcome {
    Value value = 0;
    int rests_on = RESTS_ON_NOTHING;     // as value.h says
    std::vector<typename P::Move> line;  // below the child

    bool is_valid() const {
        return is_value(value) && line.size() <= MAX_PLY && RESTS_ON_ALL <= rests_on &&
               rests_on <= RESTS_ON_NOTHING;
    }
};

// One process's side of the border. Brothers are lent out under numbers of ours; guests come in
// under tickets of theirs. Whoever carries the messages may call from any thread, also from the
// search's own.
template <class P>
class Border {
  public:
    virtual ~Border() = default;

    // Gives a brother away whose parent is at least `min_depth` deep; with `guest`, only one from
    // below that guest.
    virtual std::optional<std::pair<int, Parcel<P>>> lend(int min_depth,
                                                          std::optional<int> guest) = 0;

    // Takes a lent brother back: without an outcome if nobody searched it, because it had become
    // useless or nobody was free.
    virtual void settle(int lent, const std::optional<Outcome<P>>& outcome) = 0;

    // Takes a guest in. With `lent`, it comes from below that brother of ours, and who waits for
    // that one may search it.
    virtual void receive(int ticket, const Parcel<P>& parcel, std::optional<int> lent) = 0;

    // The window above a guest has become narrower, or the guest useless.
    virtual void narrow(int ticket, Value alpha, Value beta) = 0;
    virtual void abort(int ticket) = 0;

    // What has happened since the last call.
    struct News {
        struct Window {
            int lent;
            Value alpha, beta;
            bool is_dead;
        };
        struct Departure {
            int ticket;
            std::optional<Outcome<P>> outcome;
        };
        std::vector<Window> windows;        // of lent brothers' parents, where they changed
        std::vector<Departure> departures;  // guests that are done
        int idle = 0;                       // workers with nothing to do at all
        std::vector<int> awaited;           // lent brothers that a worker waits for
    };
    virtual News news() = 0;

    // Has `carrier` called by the searching thread every now and then, and all the time while that
    // waits: a thread of its own for it would have to be woken for every look at the messages,
    // which costs more than the look. It must not throw. Not while a search goes on.
    virtual void set_carrier(std::function<void()> carrier) = 0;
};

}  // namespace crossboard
