// Loaded into a receiver with LD_PRELOAD. A disk that fails as Linux reports it: writes reach the cache and can be read. A sync
// that cannot write them fails once for each descriptor that was open then, and later syncs succeed although the pages are not on
// disk. Only a page that is written again gets there. failing-disk-library.ts reads and writes what is laid out here.
#define LIBRARY "failing-disk"
#include "preload.h"

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

static struct state *state;
static struct file *files[DESCRIPTORS]; // by descriptor
static uint64_t seen[DESCRIPTORS]; // the last failure that this descriptor has returned

__attribute__((constructor)) static void start(void) {
  const char *watched = getenv("FAILING_FOLDER"), *path = getenv("FAILING_STATE");
  if (watched == NULL || path == NULL) return;
  watch_folder(watched);
  state = map_state(path, sizeof *state, offsetof(struct state, mutex), PTHREAD_MUTEX_STALLED);
}

static void enter(void) { pthread_mutex_lock(&state->mutex); }
static void leave(void) { pthread_mutex_unlock(&state->mutex); }

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
  return state == NULL || descriptor < 0 || descriptor >= DESCRIPTORS ? NULL : files[descriptor];
}

static int track(const char *path, int descriptor) {
  if (descriptor < 0 || !is_watched(path)) return descriptor;
  if (descriptor >= DESCRIPTORS) fail("too many descriptors");
  enter();
  struct file *file = files[descriptor] = file_of(descriptor);
  // A failure that nobody has seen yet is reported to a descriptor that was opened after it.
  if (file != NULL) seen[descriptor] = file->reported;
  leave();
  return descriptor;
}

OPEN(open, track(path, real(path, flags, mode)))
OPEN(open64, track(path, real(path, flags, mode)))

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
