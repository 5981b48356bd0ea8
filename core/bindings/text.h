// Texts on their way from Python to the core.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

// A Python text as UTF-8. What UTF-8 cannot hold becomes '?', which no notation has.
inline std::string utf8(nanobind::str text) {
    const nanobind::object bytes =
        nanobind::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
    if (!bytes.is_valid()) throw nanobind::python_error();
    return {PyBytes_AS_STRING(bytes.ptr()),
            static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}
