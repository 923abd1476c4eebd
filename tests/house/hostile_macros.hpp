// SPDX-License-Identifier: MIT
// What <windows.h>, <minwindef.h>, old BSD headers and careless programs define.

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define min(a, b) this is not min
#define max(a, b) this is not max
#define small this is not small
#define near this is not near
#define far this is not far
#define interface this is not an interface
#define ERROR this is not an error
#define NO_ERROR this is not an error either
#define IN this is not in
#define OUT this is not out
#define OPTIONAL this is not optional
#define DELETE this is not delete
#define STRICT this is not strict
#define VOID this is not void
#define CONST this is not const
#define TRUE this is not true
#define FALSE this is not false
#define BOOL this is not bool
#define pascal this is not pascal
#define cdecl this is not cdecl
#define hyper this is not hyper
#define rad1 this is not rad1
#define EMPTY this is not empty
#define NORMAL this is not normal
#define RELATIVE this is not relative
#define ABSOLUTE this is not absolute
#define major(x) this is not major
#define minor(x) this is not minor
