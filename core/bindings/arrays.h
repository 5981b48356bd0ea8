// Arrays of numpy that own their memory.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

template <int Dimensions>
using Fresh = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<Dimensions>>;

// Of zeros.
template <int Dimensions>
std::pair<double*, Fresh<Dimensions>> make_array(std::initializer_list<std::size_t> shape) {
    std::size_t size = 1;
    for (std::size_t extent : shape) size *= extent;
    auto* data = new double[size]();
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return {data, Fresh<Dimensions>(data, shape, owner)};
}

inline std::pair<double*, Fresh<1>> make_vector(std::size_t size) {
    return make_array<1>({size});
}

inline Fresh<1> fresh_copy(std::span<const double> numbers) {
    auto [data, array] = make_vector(numbers.size());
    std::copy(numbers.begin(), numbers.end(), data);
    return array;
}

// Of numbers of another type.
template <class Number>
nanobind::ndarray<nanobind::numpy, Number, nanobind::ndim<1>> numbers_of(
    const std::vector<Number>& numbers) {
    auto* data = new Number[numbers.size()];
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<Number*>(p); });
    std::copy(numbers.begin(), numbers.end(), data);
    return nanobind::ndarray<nanobind::numpy, Number, nanobind::ndim<1>>(data, {numbers.size()},
                                                                         owner);
}
