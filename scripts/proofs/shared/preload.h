// What the libraries have in common that a proof loads into a receiver with LD_PRELOAD: they replace functions of the C library,
// watch the files of one folder, and share their state with the proof and with the other processes of the receiver.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// More descriptors than a receiver has open.
#define DESCRIPTORS (1 << 16)

// `real`: the function of the C library that has this name.
#define REAL(name)                                                                                                     \
  static __typeof__(&name) real;                                                                                       \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// Replaces open or open64. `opened` uses `real`, `path`, `flags` and `mode`.
#define OPEN(name, opened)                                                                                             \
  int name(const char *path, int flags, ...) {                                                                         \
    REAL(name);                                                                                                        \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;                                     \
    va_end(rest);                                                                                                      \
    return opened;                                                                                                     \
  }

static char folder[PATH_MAX];
static size_t folder_length;

static void fail(const char *what) {
  dprintf(2, LIBRARY ": %s: %s\n", what, strerror(errno));
  abort();
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void watch_folder(const char *watched) {
  folder_length = strlen(watched);
  memcpy(folder, watched, folder_length + 1);
}

// Maps the state that all processes share. It begins with a uint64_t that is 0 until the mutex at `mutex_at` is ready.
static void *map_state(const char *path, size_t size, size_t mutex_at, int robustness) {
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) fail(path);
  void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) fail("mmap");
  if (flock(descriptor, LOCK_EX) != 0) fail("flock");
  uint64_t *ready = mapped;
  if (*ready == 0) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, robustness);
    pthread_mutex_init((pthread_mutex_t *)((char *)mapped + mutex_at), &attributes);
    *ready = 1;
  }
  // The mapping would keep the lock.
  flock(descriptor, LOCK_UN);
  close(descriptor);
  return mapped;
}
