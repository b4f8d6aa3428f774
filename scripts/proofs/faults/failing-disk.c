// Loaded into a receiver with LD_PRELOAD. A disk that fails as Linux reports it: writes reach the cache and can be read. A sync
// that cannot write them fails once for each descriptor that was open then, and later syncs succeed although the pages are not on
// disk. Only a page that is written again gets there. failing-disk-library.ts reads and writes what is laid out here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 8
#define PAGE 4096
#define PAGES (64 * 1024)

enum page { ON_DISK, DIRTY, LOST };

struct file {
  uint64_t inode;
  uint64_t failures; // how many syncs could not write this file
  uint64_t reported; // the last of them that a sync has returned
  uint8_t pages[PAGES];
};

// Shared by all processes and by the proof. SIGKILL leaves it as it is.
struct state {
  uint64_t ready;
  uint64_t failing;
  struct file files[FILES];
  pthread_mutex_t mutex;
};

#define REAL(name)                                                                                                     \
  static __typeof__(&name) real;                                                                                       \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static struct state *state;
static char folder[PATH_MAX];
static size_t folder_length;
static struct file *files[1 << 16]; // by descriptor
static uint64_t seen[1 << 16];      // the last failure that this descriptor has returned

static void fail(const char *what) {
  dprintf(2, "failing-disk: %s: %s\n", what, strerror(errno));
  abort();
}

__attribute__((constructor)) static void start(void) {
  const char *watched = getenv("FAILING_FOLDER"), *path = getenv("FAILING_STATE");
  if (watched == NULL || path == NULL) return;
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) fail(path);
  struct state *mapped = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) fail("mmap");
  if (flock(descriptor, LOCK_EX) != 0) fail("flock");
  if (mapped->ready == 0) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&mapped->mutex, &attributes);
    mapped->ready = 1;
  }
  // The mapping would keep the lock.
  flock(descriptor, LOCK_UN);
  close(descriptor);
  folder_length = strlen(watched);
  memcpy(folder, watched, folder_length + 1);
  state = mapped;
}

static void enter(void) { pthread_mutex_lock(&state->mutex); }
static void leave(void) { pthread_mutex_unlock(&state->mutex); }

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// The index of SQLite's log is memory that processes share; SQLite rebuilds it.
static bool is_watched(const char *path) {
  return state != NULL && strncmp(path, folder, folder_length) == 0 && path[folder_length] == '/' &&
         !ends_with(path, "-shm");
}

static struct file *file_of(int descriptor) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) fail("fstat");
  if (!S_ISREG(found.st_mode)) return NULL;
  for (int index = 0; index < FILES; index += 1) {
    struct file *file = &state->files[index];
    if (file->inode == 0) file->inode = found.st_ino;
    if (file->inode == found.st_ino) return file;
  }
  errno = ENFILE;
  fail("too many files");
  return NULL;
}

static struct file *of(int descriptor) {
  return state == NULL || descriptor < 0 || descriptor >= 1 << 16 ? NULL : files[descriptor];
}

static int track(const char *path, int descriptor) {
  if (descriptor < 0 || !is_watched(path)) return descriptor;
  if (descriptor >= 1 << 16) fail("too many descriptors");
  enter();
  struct file *file = files[descriptor] = file_of(descriptor);
  // A failure that nobody has seen yet is reported to a descriptor that was opened after it.
  if (file != NULL) seen[descriptor] = file->reported;
  leave();
  return descriptor;
}

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    REAL(name);                                                                                                        \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;                                     \
    va_end(rest);                                                                                                      \
    return track(path, real(path, flags, mode));                                                                       \
  }
OPEN(open)
OPEN(open64)

int close(int descriptor) {
  REAL(close);
  if (of(descriptor) != NULL) files[descriptor] = NULL;
  return real(descriptor);
}

static void mark(struct file *file, uint64_t from, uint64_t to, enum page as) {
  if (to > (uint64_t)PAGE * PAGES) {
    errno = EFBIG;
    fail("a file is too long");
  }
  for (uint64_t page = from / PAGE; page * PAGE < to; page += 1) file->pages[page] = as;
}

static ssize_t written(struct file *file, uint64_t at, ssize_t length) {
  if (length > 0) {
    enter();
    mark(file, at, at + length, DIRTY);
    leave();
  }
  return length;
}

#define PWRITE(name, offset_type)                                                                                      \
  ssize_t name(int descriptor, const void *data, size_t length, offset_type at) {                                      \
    REAL(name);                                                                                                        \
    ssize_t result = real(descriptor, data, length, at);                                                               \
    return of(descriptor) == NULL ? result : written(of(descriptor), at, result);                                      \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PWRITEV(name, offset_type)                                                                                     \
  ssize_t name(int descriptor, const struct iovec *parts, int count, offset_type at) {                                 \
    REAL(name);                                                                                                        \
    ssize_t result = real(descriptor, parts, count, at);                                                               \
    return of(descriptor) == NULL ? result : written(of(descriptor), at, result);                                      \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

ssize_t write(int descriptor, const void *data, size_t length) {
  REAL(write);
  ssize_t result = real(descriptor, data, length);
  if (of(descriptor) == NULL || result < 0) return result;
  return written(of(descriptor), lseek(descriptor, 0, SEEK_CUR) - result, result);
}

#define TRUNCATE_FILE(name, offset_type)                                                                               \
  int name(int descriptor, offset_type size) {                                                                         \
    REAL(name);                                                                                                        \
    int result = real(descriptor, size);                                                                               \
    struct file *file = of(descriptor);                                                                                \
    if (file == NULL || result != 0) return result;                                                                    \
    enter();                                                                                                           \
    mark(file, (uint64_t)(size + PAGE - 1) / PAGE * PAGE, (uint64_t)PAGE * PAGES, ON_DISK);                            \
    leave();                                                                                                           \
    return result;                                                                                                     \
  }
TRUNCATE_FILE(ftruncate, off_t)
TRUNCATE_FILE(ftruncate64, off64_t)

static int sync_file(struct file *file, int descriptor) {
  enter();
  bool failed = false;
  for (int page = 0; page < PAGES; page += 1) {
    if (file->pages[page] != DIRTY) continue;
    file->pages[page] = state->failing ? LOST : ON_DISK;
    failed = state->failing;
  }
  if (failed) file->failures += 1;
  bool is_news = seen[descriptor] < file->failures;
  seen[descriptor] = file->failures;
  if (is_news) file->reported = file->failures;
  leave();
  if (!is_news) return 0;
  errno = EIO;
  return -1;
}

#define SYNC_FILE(name)                                                                                                \
  int name(int descriptor) {                                                                                           \
    REAL(name);                                                                                                        \
    return of(descriptor) == NULL ? real(descriptor) : sync_file(of(descriptor), descriptor);                          \
  }
SYNC_FILE(fsync)
SYNC_FILE(fdatasync)
