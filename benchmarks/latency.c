// How long a read at a random place takes in memory of a given size: what a lookup in a table of that size waits for.
//     cc -O2 benchmarks/latency.c -o latency && ./latency 16 128 1024
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { LINE = 64, READS = 3000000 };

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * now.tv_sec + now.tv_nsec;
}

int main(int count, char** sizes) {
  for (int i = 1; i < count; ++i) {
    const size_t bytes = strtoull(sizes[i], NULL, 10) << 20;
    uint8_t* memory = aligned_alloc(1 << 21, bytes);
    if (memory == NULL) return 1;
    madvise(memory, bytes, MADV_HUGEPAGE);
    for (size_t at = 0; at < bytes; at += LINE) memory[at] = 0;
    // The place of each read depends on what the one before it read, so that no two overlap.
    uint64_t random = 1, read = 0;
    const double start = nanoseconds();
    for (int n = 0; n < READS; ++n) {
      random = (random + read) * 6364136223846793005u + 1442695040888963407u;
      read = memory[(random >> 20) % (bytes / LINE) * LINE];
    }
    printf("%s MiB: %.0f ns\n", sizes[i], (nanoseconds() - start) / READS + (double)read);
    free(memory);
  }
}
