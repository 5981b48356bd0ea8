// Endgame tables of draughts as the search asks for them.
#pragma once

#include <memory>
#include <utility>

#include "search/endgames.h"
#include "tables/endgame_tables.h"

namespace crossboard {

class DraughtsEndgames final : public Endgames<draughts::Position> {
  public:
    using Position = draughts::Position;

    explicit DraughtsEndgames(std::shared_ptr<const tables::EndgameTables> tables)
        : tables_(std::move(tables)) {}

    int most_pieces() const override { return tables_->pieces(); }

    std::optional<Verdict> verdict(const Position& position) const override {
        const auto outcome = tables_->probe_quiet(position);
        if (!outcome) return std::nullopt;
        return static_cast<Verdict>(static_cast<int>(*outcome) - 1);
    }

    std::optional<int> plies(const Position& before, const Position& after) const override {
        const bool is_promotion = count(before.kings()) != count(after.kings());
        if (is_promotion || before.count_pieces() != after.count_pieces()) return 1;
        const auto rest = tables_->distance(after);
        if (!rest) return std::nullopt;
        return 1 + *rest;
    }

  private:
    static_assert(static_cast<int>(tables::Outcome::loss) == 0 &&
                  static_cast<int>(tables::Outcome::win) == 2);

    std::shared_ptr<const tables::EndgameTables> tables_;
};

}  // namespace crossboard
