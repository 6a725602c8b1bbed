#ifndef HEAP_PROBE_H
#define HEAP_PROBE_H

// How many bytes the heap has handed out; 0 where the platform does not tell. In C, because Swift's Glibc module leaves
// <malloc.h> out.

#include <stddef.h>
#include <stdlib.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>

static inline size_t heap_bytes_in_use(void) {
    malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return statistics.size_in_use;
}
#elif defined(__GLIBC__)
#include <malloc.h>

static inline size_t heap_bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#else
static inline size_t heap_bytes_in_use(void) { return 0; }
#endif

#endif
