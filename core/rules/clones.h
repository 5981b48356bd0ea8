// Compiles an inner loop for new and for old processors; the loader picks when the program starts.
#pragma once

// Everything the function calls is inlined into it (flatten), so that it is compiled with it.
// Sanitizers cannot follow the picking, and other compilers cannot do it: they get the plain one.
#if defined(__x86_64__) && defined(__gnu_linux__) && __GNUC__ >= 12 && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CROSSBOARD_CLONES __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
#else
#define CROSSBOARD_CLONES
#endif
