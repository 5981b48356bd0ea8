// Parcels and outcomes as bytes, for the way between processes of one program on like machines.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "search/border.h"

namespace crossboard::wire {

class Writer {
  public:
    template <class T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }
    template <class T>
    void put_all(const std::vector<T>& values) {
        put(static_cast<std::uint32_t>(values.size()));
        for (const T& value : values) put(value);
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    template <class T>
    T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        if (rest_.size() < sizeof(T))
            throw std::invalid_argument("a message of the search is cut off");
        T value;
        std::memcpy(&value, rest_.data(), sizeof(T));
        rest_.remove_prefix(sizeof(T));
        return value;
    }
    template <class T>
    std::vector<T> get_all() {
        const auto size = get<std::uint32_t>();
        if (size > rest_.size() / sizeof(T))
            throw std::invalid_argument("a message of the search is cut off");
        std::vector<T> values;
        for (std::uint32_t i = 0; i < size; ++i) values.push_back(get<T>());
        return values;
    }

  private:
    std::string_view rest_;
};

template <class P>
std::string pack(const Parcel<P>& parcel) {
    Writer writer;
    writer.put(parcel.child);
    writer.put_all(parcel.path.entries());
    writer.put(parcel.path.root());
    writer.put(parcel.ply);
    writer.put(parcel.depth);
    writer.put(parcel.reduction);
    writer.put(parcel.alpha);
    writer.put(parcel.beta);
    return writer.take();
}

template <class P>
Parcel<P> unpack_parcel(std::string_view bytes) {
    Reader reader(bytes);
    Parcel<P> parcel;
    parcel.child = reader.get<P>();
    auto entries = reader.get_all<Path::Entry>();
    const int root = reader.get<int>();
    if (root < 0 || root >= static_cast<int>(entries.size()))
        throw std::invalid_argument("a message of the search names a root that it does not bring");
    parcel.path = Path(std::move(entries), root);
    parcel.ply = reader.get<int>();
    parcel.depth = reader.get<int>();
    parcel.reduction = reader.get<int>();
    parcel.alpha = reader.get<Value>();
    parcel.beta = reader.get<Value>();
    return parcel;
}

template <class P>
std::string pack(const Outcome<P>& outcome) {
    Writer writer;
    writer.put(outcome.value);
    writer.put(outcome.rests_on);
    writer.put_all(outcome.line);
    return writer.take();
}

template <class P>
Outcome<P> unpack_outcome(std::string_view bytes) {
    Reader reader(bytes);
    Outcome<P> outcome;
    outcome.value = reader.get<Value>();
    outcome.rests_on = reader.get<int>();
    outcome.line = reader.get_all<typename P::Move>();
    return outcome;
}

}  // namespace crossboard::wire
