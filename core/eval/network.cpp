// The forward pass. Compiled without fused multiply-add, see tanh.h.
#include "eval/network.h"

#include <array>
#include <cassert>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

#include "eval/tanh.h"
#include "rules/clones.h"

namespace crossboard {

namespace {

// Columns are handled in blocks of this many, which is what vector registers hold.
constexpr int BLOCK = 4;
using Block = std::array<double, BLOCK>;

// A number as people write it: of 1e200 not all its figures.
std::string short_text(double number) {
    std::ostringstream text;
    text << number;
    return text.str();
}

void check_group(const char* name, const std::vector<double>& weights, std::size_t size,
                 const std::string& why) {
    if (weights.size() != size)
        throw std::invalid_argument(std::string(name) + " has " + std::to_string(weights.size()) +
                                    " weights where " + why + " need " + std::to_string(size));
    for (std::size_t i = 0; i < size; ++i)
        if (!(std::abs(weights[i]) <= EvalNet::MAX_WEIGHT))
            throw std::invalid_argument("weight " + std::to_string(i) + " of " + name +
                                        " must be a finite number within +-1e100, not " +
                                        short_text(weights[i]));
}

// What arrives at the output: the rows of the first layer are summed into `columns`, all of which
// but the last used one are hidden units. Plain loops over whole blocks, which the compiler turns
// into vector instructions; `columns` is room for `width` numbers.
CROSSBOARD_CLONES double through_layers(const double* start, const double* const* rows, int count,
                                        const double* second, int hidden, int width,
                                        double* columns) {
    assert(count >= 0 && 0 < hidden && hidden < width && width % BLOCK == 0);
    for (int first = 0; first < width; first += BLOCK) {
        Block sum;
        for (int j = 0; j < BLOCK; ++j) sum[j] = start[first + j];
        for (int row = 0; row < count; ++row)
            for (int j = 0; j < BLOCK; ++j) sum[j] += rows[row][first + j];
        for (int j = 0; j < BLOCK; ++j) columns[first + j] = sum[j];
    }
    const double direct = columns[hidden];
    const int blocks = (hidden + BLOCK - 1) / BLOCK;
    for (int j = 0; j < BLOCK * blocks; ++j) columns[j] = quick_tanh(columns[j]);
    Block output = {};
    for (int first = 0; first < BLOCK * blocks; first += BLOCK)
        for (int j = 0; j < BLOCK; ++j) output[j] += second[first + j] * columns[first + j];
    return (output[0] + output[1]) + (output[2] + output[3]) + direct;
}

}  // namespace

EvalNet::EvalNet(int inputs, int hidden, std::vector<double> w1, std::vector<double> w2,
                 std::vector<double> w3)
    : inputs_(inputs), hidden_(hidden), w1_(std::move(w1)), w2_(std::move(w2)), w3_(std::move(w3)) {
    if (inputs < 1 || hidden < 0 || (hidden == 0 && w3_.empty()))
        throw std::invalid_argument("a net needs inputs, and hidden units or direct links, not " +
                                    std::to_string(inputs) + " inputs and " +
                                    std::to_string(hidden) + " hidden units");
    const std::string why = std::to_string(inputs) + " inputs, " + std::to_string(hidden) +
                            " hidden units and the bias";
    const std::size_t n = static_cast<std::size_t>(inputs) + 1, h = hidden;
    check_group("w1", w1_, n * h, why);
    check_group("w2", w2_, h + 1, why);
    if (has_direct_links()) check_group("w3", w3_, n, why);
}

double EvalNet::forward(std::span<const double> x) const {
    if (x.size() != static_cast<std::size_t>(inputs_))
        throw std::invalid_argument("the net has " + std::to_string(inputs_) + " inputs, not " +
                                    std::to_string(x.size()));
    const auto bias = from_input(inputs_);
    std::vector<double> sums(bias.begin(), bias.end());
    double output = w2_[hidden_] + direct(inputs_);
    for (int i = 0; i < inputs_; ++i) {
        const double* weights = from_input(i).data();
        for (int j = 0; j < hidden_; ++j) sums[j] += weights[j] * x[i];
        output += direct(i) * x[i];
    }
    for (int j = 0; j < hidden_; ++j) output += w2_[j] * quick_tanh(sums[j]);
    return quick_tanh(output);
}

EvalNet EvalNet::with_weights(std::span<const double> weights) const {
    if (weights.size() != weight_count())
        throw std::invalid_argument("the net has " + std::to_string(weight_count()) +
                                    " weights, not " + std::to_string(weights.size()));
    const auto next = [&](std::size_t count) {
        const auto group = weights.first(count);
        weights = weights.subspan(count);
        return std::vector<double>(group.begin(), group.end());
    };
    std::vector<double> w1 = next(w1_.size()), w2 = next(w2_.size()), w3 = next(w3_.size());
    return {inputs_, hidden_, std::move(w1), std::move(w2), std::move(w3)};
}

Network::Network(const Mapping& mapping, const EvalNet& net) {
    if (mapping.size() != net.inputs())
        throw std::invalid_argument("the mapping has " + std::to_string(mapping.size()) +
                                    " inputs, the net " + std::to_string(net.inputs()));
    const int hidden = net.hidden();
    const int width = hidden == 0 ? 1 : (hidden + 1 + BLOCK - 1) / BLOCK * BLOCK;
    Layers layers{.mapping = mapping,
                  .net = net,
                  .hidden = hidden,
                  .width = width,
                  .start = std::vector<double>(width),
                  .rows = {},
                  .first_rows = {},
                  .second = std::vector<double>(width),
                  .second_bias = net.from_hidden()[hidden],
                  .man = LEAST_MAN};
    const auto add = [&](double* row, int input, double level) {
        const double* weights = net.from_input(input).data();
        for (int j = 0; j < hidden; ++j) row[j] += weights[j] * level;
        row[hidden] += net.direct(input) * level;
    };
    add(layers.start.data(), net.inputs(), 1);
    std::copy_n(net.from_hidden().begin(), hidden, layers.second.begin());
    std::size_t codes = 0;
    for (const Mapping::Group& group : mapping.groups()) codes += group.codes;
    if (codes * width > MAX_ROW_NUMBERS)
        throw std::invalid_argument("the mapping has " + std::to_string(codes) +
                                    " codes, too many for " + std::to_string(hidden) +
                                    " hidden units: a network holds at most " +
                                    std::to_string(MAX_ROW_NUMBERS) + " numbers for its codes");
    layers.rows.reserve(codes * width);
    for (const Mapping::Group& group : mapping.groups()) {
        layers.first_rows.push_back(static_cast<int>(layers.rows.size() / width));
        layers.rows.resize(layers.rows.size() + static_cast<std::size_t>(group.codes) * width);
        double* rows = layers.rows.data() + layers.first_rows.back() * std::size_t(width);
        for (int code = 0; code < group.codes; ++code)
            Mapping::for_each_level(group, code, [&](int input, double level) {
                add(rows + code * std::size_t(width), input, level);
            });
        if (!group.is_square()) continue;
        // Most squares are empty: that part stands in the start, and rows are what pieces change.
        for (int j = 0; j < width; ++j) {
            const double empty = rows[j];
            layers.start[j] += empty;
            for (int code = 0; code < group.codes; ++code) rows[code * width + j] -= empty;
        }
    }
    const auto made = std::make_shared<Layers>(std::move(layers));
    layers_ = made;
    made->man = std::max(LEAST_MAN, measured_man());
}

double Network::measured_man() const {
    const draughts::Position start;
    double difference = 0;
    for (int index : Members(start.black() | start.white())) {
        const Bits gone = bit(index);
        const draughts::Position less(start.black() & ~gone, start.white() & ~gone, 0,
                                      start.turn());
        // The sum is for White, who has just moved.
        difference += start.black() & gone ? sum(less) : -sum(less);
    }
    return difference / (2 * draughts::MAX_PIECES);
}

Network Network::with_weights(std::span<const double> weights) const {
    return {layers_->mapping, layers_->net.with_weights(weights)};
}

double Network::sum_of_one_layer(const draughts::features::Board& board) const {
    const double* table = layers_->rows.data();
    const int* first_rows = layers_->first_rows.data();
    double sum = layers_->start[0];
    layers_->mapping.for_each_code(board, [&](int group, int code) {
        assert(layers_->mapping.groups()[static_cast<std::size_t>(group)].has_code(code));
        sum += table[first_rows[group] + code];
    });
    return sum;
}

double Network::sum_of_layers(const draughts::features::Board& board) const {
    const Layers& layers = *layers_;
    const double* table = layers.rows.data();
    // Vectors only where a net is larger than any published one.
    constexpr int USUAL_ROWS = 96, USUAL_WIDTH = 256;
    std::array<const double*, USUAL_ROWS> some_rows;
    std::array<double, USUAL_WIDTH> some_columns;
    std::vector<const double*> more_rows;
    std::vector<double> more_columns;
    const double** rows = some_rows.data();
    double* columns = some_columns.data();
    if (layers.first_rows.size() > USUAL_ROWS) {
        more_rows.resize(layers.first_rows.size());
        rows = more_rows.data();
    }
    if (layers.width > USUAL_WIDTH) {
        more_columns.resize(layers.width);
        columns = more_columns.data();
    }
    int count = 0;
    layers.mapping.for_each_code(board, [&](int group, int code) {
        assert(layers.mapping.groups()[static_cast<std::size_t>(group)].has_code(code));
        rows[count++] = table + (layers.first_rows[group] + code) * std::size_t(layers.width);
    });
    return through_layers(layers.start.data(), rows, count, layers.second.data(), layers.hidden,
                          layers.width, columns);
}

double Network::sum(const draughts::Position& position) const {
    const draughts::features::Board board(position);
    const double sum = layers_->hidden == 0 ? sum_of_one_layer(board) : sum_of_layers(board);
    return sum + layers_->second_bias;
}

double Network::output(const draughts::Position& position) const {
    return quick_tanh(sum(position));
}

void Network::add_gradient(const draughts::Position& position, double amount,
                           std::span<double> sums) const {
    assert(sums.size() == weight_count());
    const Mapping& mapping = layers_->mapping;
    std::vector<int> codes(mapping.groups().size());
    mapping.write_codes(draughts::features::Board(position), codes.data());
    const auto for_each_input = [&](auto visit) {
        for (std::size_t g = 0; g < codes.size(); ++g)
            Mapping::for_each_level(mapping.groups()[g], codes[g], visit);
    };
    // The net judges for the side that has just moved, a learner for the other.
    layers_->net.add_gradient(for_each_input, -amount, sums.data());
}

std::int32_t Network::evaluate(const draughts::Position& position) const {
    return static_cast<std::int32_t>(std::nearbyint(-output(position) * UNITS));
}

std::int32_t Network::hundredths(const draughts::Position& position) const {
    const double men = std::clamp(-sum(position) / layers_->man, -MOST_MEN, MOST_MEN);
    return static_cast<std::int32_t>(std::nearbyint(100 * men));
}

std::int32_t Network::squashed(std::int32_t hundredths) const {
    return static_cast<std::int32_t>(
        std::nearbyint(quick_tanh(layers_->man * hundredths / 100) * UNITS));
}

}  // namespace crossboard
