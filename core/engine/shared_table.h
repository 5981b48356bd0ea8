// One transposition table for all engines of a player, of which one searches at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "search/table.h"

namespace crossboard {

class SharedTable {
  public:
    // An engine that searches with the table.
    class User {
      public:
        // Frees what only searching needs: another engine searches now.
        virtual void give_way() = 0;

      protected:
        ~User() = default;
    };

    // The right to search. Not a lock, since the evaluator of the first search may ask for the
    // second one.
    class Turn {
      public:
        explicit Turn(SharedTable& shared) : is_busy_(shared.is_busy_) {
            if (is_busy_.exchange(true))
                throw std::invalid_argument(
                    "the engine is searching already: another search needs another one");
        }
        ~Turn() { is_busy_ = false; }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

      private:
        std::atomic<bool>& is_busy_;
    };

    // 0 MB: the engines search without a table.
    explicit SharedTable(std::size_t megabytes) {
        if (megabytes) table_ = std::make_unique<Table>(megabytes);
    }

    Table* table() const { return table_.get(); }

    // Begins a search. Values of another evaluator mean nothing to this one, so they are cleared.
    void enter(User& user) {
        const std::lock_guard lock(mutex_);
        if (user_ != &user) {
            if (user_) user_->give_way();
            clear();
        }
        user_ = &user;
        is_clear_ = false;
        if (table_) table_->new_search();
    }

    // The engine exists no longer.
    void leave(User& user) {
        const std::lock_guard lock(mutex_);
        if (user_ == &user) user_ = nullptr;
    }

    // Costs nothing if no search has used the table since it was cleared.
    void clear() {
        if (table_ && !is_clear_) table_->clear();
        is_clear_ = true;
    }

  private:
    std::unique_ptr<Table> table_;
    std::atomic<bool> is_busy_{false};
    std::mutex mutex_;  // guards the user: an engine may be deleted while another one searches
    User* user_ = nullptr;
    bool is_clear_ = true;
};

}  // namespace crossboard
