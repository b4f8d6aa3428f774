// Loaded into a receiver with LD_PRELOAD. It records in a journal what the process writes to the files of one folder and
// what it syncs, and replaces each sync by a pause: the disk that the journal describes is the only one that counts.
// journal.ts and switch.ts read and write what is laid out here. The index of SQLite's log, -shm, is not recorded:
// SQLite maps it into memory and rebuilds it after a crash.
#define LIBRARY "recorder"
#include "preload.h"

enum kind { CREATE = 1, WRITE, TRUNCATE, UNLINK, SYNC, SYNC_FOLDER, KINDS };
enum trigger { ANY_WRITE = 1, DATABASE_WRITE, SYNC_STARTED };
enum tracked { UNTRACKED, DATABASE, OTHER_FILE, FOLDER };

// Shared by all processes of the folder and by the proof. SIGKILL leaves it as it is.
struct state {
  uint64_t ready;
  uint64_t committed; // length of the journal; what a killed process wrote behind it does not count
  uint64_t in_flight; // an operation has begun that is not in the journal yet
  uint64_t off;       // the power is off: nobody gets any further
  uint64_t trigger;   // turns the power off at the operation number `countdown` of this sort
  uint64_t countdown;
  uint64_t hidden; // syncs report success and do nothing
  uint64_t pause_us;
  uint64_t counts[KINDS];
  pthread_mutex_t mutex;
};

static struct state *state;
static int journal = -1;
static unsigned char tracked[DESCRIPTORS]; // by descriptor

static void hang(void) {
  for (;;) pause();
}

__attribute__((constructor)) static void start(void) {
  const char *watched = getenv("RECORDER_FOLDER"), *own = getenv("RECORDER_STATE");
  if (watched == NULL || own == NULL) return;
  char path[PATH_MAX + 16];
  snprintf(path, sizeof path, "%s/journal", own);
  journal = open(path, O_RDWR | O_CLOEXEC);
  if (journal < 0) fail(path);
  snprintf(path, sizeof path, "%s/state", own);
  watch_folder(watched);
  state = map_state(path, sizeof *state, offsetof(struct state, mutex), PTHREAD_MUTEX_ROBUST);
}

// Operations are recorded in the order in which they happen: one at a time, across all processes.
static void enter(void) {
  // Another process was killed in the middle of an operation: the power is going off.
  if (pthread_mutex_lock(&state->mutex) != 0) hang();
  if (state->off == 0) return;
  pthread_mutex_unlock(&state->mutex);
  hang();
}

static void leave(void) {
  bool off = state->off != 0;
  pthread_mutex_unlock(&state->mutex);
  if (off) hang();
}

static void pull_trigger(enum trigger trigger) {
  if (state->trigger == trigger && --state->countdown == 0) state->off = 1;
}

static void append(enum kind kind, uint64_t inode, uint64_t at, const void *data, uint64_t length) {
  uint64_t header[4] = {kind, inode, at, length};
  struct iovec parts[2] = {{header, sizeof header}, {(void *)data, length}};
  if (pwritev(journal, parts, 2, state->committed) != (ssize_t)(sizeof header + length)) fail("the journal");
  __atomic_store_n(&state->committed, state->committed + sizeof header + length, __ATOMIC_SEQ_CST);
  state->counts[kind] += 1;
}

static uint64_t inode_of(int descriptor) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) fail("fstat");
  return found.st_ino;
}

// The name of a recorded file of the folder, "" for the folder itself, NULL for every other path.
static const char *name_of(const char *path) {
  if (state == NULL || strncmp(path, folder, folder_length) != 0) return NULL;
  const char *rest = path + folder_length;
  if (*rest == '\0') return rest;
  if (*rest != '/' || strchr(rest + 1, '/') != NULL || ends_with(rest, "-shm")) return NULL;
  return rest + 1;
}

static enum tracked kind_of(int descriptor) {
  return state == NULL || descriptor < 0 || descriptor >= (int)sizeof tracked ? UNTRACKED : tracked[descriptor];
}

static int record_open(const char *path, int flags, mode_t mode, int (*real)(const char *, int, ...)) {
  const char *name = name_of(path);
  if (name == NULL) return real(path, flags, mode);
  enter();
  bool existed = access(path, F_OK) == 0;
  state->in_flight = 1;
  int descriptor = real(path, flags, mode);
  if (descriptor >= (int)sizeof tracked) fail("too many descriptors");
  if (descriptor >= 0) {
    tracked[descriptor] = *name == '\0' ? FOLDER : strchr(name, '-') == NULL ? DATABASE : OTHER_FILE;
    if (!existed) append(CREATE, inode_of(descriptor), 0, name, strlen(name));
    else if ((flags & O_TRUNC) != 0) append(TRUNCATE, inode_of(descriptor), 0, NULL, 0);
  }
  state->in_flight = 0;
  leave();
  return descriptor;
}

OPEN(open, record_open(path, flags, mode, real))
OPEN(open64, record_open(path, flags, mode, real))

int close(int descriptor) {
  REAL(close);
  if (kind_of(descriptor) != UNTRACKED) tracked[descriptor] = UNTRACKED;
  return real(descriptor);
}

#define PWRITE(name, offset_type)                                                                                      \
  ssize_t name(int descriptor, const void *data, size_t length, offset_type at) {                                      \
    REAL(name);                                                                                                        \
    enum tracked kind = kind_of(descriptor);                                                                           \
    if (kind == UNTRACKED) return real(descriptor, data, length, at);                                                  \
    enter();                                                                                                           \
    state->in_flight = 1;                                                                                              \
    ssize_t written = real(descriptor, data, length, at);                                                              \
    if (written > 0) append(WRITE, inode_of(descriptor), at, data, written);                                           \
    state->in_flight = 0;                                                                                              \
    pull_trigger(ANY_WRITE);                                                                                           \
    if (kind == DATABASE) pull_trigger(DATABASE_WRITE);                                                                \
    leave();                                                                                                           \
    return written;                                                                                                    \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int descriptor, const void *data, size_t length) {
  REAL(write);
  if (kind_of(descriptor) == UNTRACKED) return real(descriptor, data, length);
  enter();
  state->in_flight = 1;
  ssize_t written = real(descriptor, data, length);
  if (written > 0) append(WRITE, inode_of(descriptor), lseek(descriptor, 0, SEEK_CUR) - written, data, written);
  state->in_flight = 0;
  pull_trigger(ANY_WRITE);
  leave();
  return written;
}

#define TRUNCATE_FILE(name, offset_type)                                                                               \
  int name(int descriptor, offset_type size) {                                                                         \
    REAL(name);                                                                                                        \
    if (kind_of(descriptor) == UNTRACKED) return real(descriptor, size);                                               \
    enter();                                                                                                           \
    state->in_flight = 1;                                                                                              \
    int result = real(descriptor, size);                                                                               \
    if (result == 0) append(TRUNCATE, inode_of(descriptor), size, NULL, 0);                                            \
    state->in_flight = 0;                                                                                              \
    leave();                                                                                                           \
    return result;                                                                                                     \
  }
TRUNCATE_FILE(ftruncate, off_t)
TRUNCATE_FILE(ftruncate64, off64_t)

int unlink(const char *path) {
  REAL(unlink);
  const char *name = name_of(path);
  if (name == NULL) return real(path);
  enter();
  state->in_flight = 1;
  int result = real(path);
  if (result == 0) append(UNLINK, 0, 0, name, strlen(name));
  state->in_flight = 0;
  leave();
  return result;
}

// A sync covers what was written before it began. It is in the journal before the caller learns of it.
#define SYNC_FILE(name)                                                                                                \
  int name(int descriptor) {                                                                                           \
    REAL(name);                                                                                                        \
    enum tracked kind = kind_of(descriptor);                                                                           \
    if (kind == UNTRACKED) return real(descriptor);                                                                    \
    enter();                                                                                                           \
    uint64_t before = state->committed;                                                                                \
    pull_trigger(SYNC_STARTED);                                                                                        \
    leave();                                                                                                           \
    usleep(state->pause_us);                                                                                           \
    enter();                                                                                                           \
    if (!state->hidden) append(kind == FOLDER ? SYNC_FOLDER : SYNC, inode_of(descriptor), before, NULL, 0);            \
    leave();                                                                                                           \
    return 0;                                                                                                          \
  }
SYNC_FILE(fsync)
SYNC_FILE(fdatasync)
