// Counts checks, tells where one fails, and gives a test program its exit code.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <iostream>
#include <ranges>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

// Both give a bool, so that a loop can add what it was at: CHECK(...) || check::note(fen).
#define CHECK(...) ::check::passes(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_EQUAL(actual, expected) \
    ::check::equals((actual), (expected), #actual, #expected, __FILE__, __LINE__)

namespace check {

inline std::int64_t passed = 0;
inline std::int64_t failed = 0;

// One cause may fail in a million places of a random walk; the first few tell enough.
constexpr std::int64_t MAX_SHOWN = 20;

template <class Value>
std::string shown(const Value& value) {
    std::ostringstream out;
    if constexpr (std::same_as<Value, bool>) {
        out << (value ? "true" : "false");
    } else if constexpr (std::convertible_to<Value, std::string_view>) {
        out << '"' << std::string_view(value) << '"';
    } else if constexpr (std::is_enum_v<Value>) {
        out << static_cast<int>(value);
    } else if constexpr (requires { out << value; }) {
        out << +value;
    } else if constexpr (std::ranges::range<Value>) {
        for (const auto& one : value) out << (out.str().empty() ? "[" : ", ") << shown(one);
        out << (out.str().empty() ? "[]" : "]");
    } else {
        out << show(value);  // a type of the core says how in a header beside its tests
    }
    return out.str();
}

template <class A, class B>
bool are_equal(const A& a, const B& b) {
    if constexpr (std::integral<A> && std::integral<B> && !std::same_as<A, B>) {
        return std::cmp_equal(a, b);
    } else if constexpr (std::convertible_to<A, std::string_view> &&
                         std::convertible_to<B, std::string_view>) {
        return std::string_view(a) == std::string_view(b);
    } else {
        return a == b;
    }
}

inline bool note(std::string_view text) {
    if (failed <= MAX_SHOWN) std::cout << "    at " << text << '\n';
    return false;
}

inline bool passes(bool is_true, std::string_view text, const char* file, int line) {
    ++(is_true ? passed : failed);
    // Flushed at once: an assertion of the core may abort the program before it ends.
    if (!is_true && failed <= MAX_SHOWN)
        std::cout << file << ':' << line << ": failed: " << text << std::endl;
    return is_true;
}

template <class A, class B>
bool equals(const A& actual, const B& expected, const char* actual_text, const char* expected_text,
            const char* file, int line) {
    if (are_equal(actual, expected)) return passes(true, "", file, line);
    const std::string text = std::string(actual_text) + " == " + expected_text +
                             "\n    actual:   " + shown(actual) +
                             "\n    expected: " + shown(expected);
    return passes(false, text, file, line);
}

// What `act` complains of. An exception of another class, even a derived one, does not count.
template <class Exception, class Act>
std::string message_of(Act act) {
    try {
        act();
    } catch (const std::exception& error) {
        if (typeid(error) == typeid(Exception)) return error.what();
        return std::string("(another exception) ") + error.what();
    }
    return "(no exception)";
}

// To be returned from main.
inline int report() {
    std::cout << passed << " passed, " << failed << " failed\n";
    return failed == 0 ? 0 : 1;
}

}  // namespace check
