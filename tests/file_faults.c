/* Fails or kills at the n-th call that changes files beneath a folder; file_faults.py loads it.

   The wrapped functions of the C library: open (for writing), write, pwrite, writev, sendfile,
   fsync, ftruncate, rename, mkdir, unlink, rmdir. Python makes all its changes through them, and so
   do C libraries. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char root[PATH_MAX];
static long at;
static int fault, lasting, killing, ready;
static long *made; /* shared with the processes that are forked off */

__attribute__((constructor)) static void begin(void) {
    made = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/* From now on, the n-th change beneath a folder fails by an errno (0: none does), that one alone or
   all from there on, or the process is killed there. */
void faults_arm(const char *folder, long n, int number, int for_good, int kills) {
    strncpy(root, folder, sizeof root - 1);
    at = n, fault = number, lasting = for_good, killing = kills, *made = 0, ready = 1;
}

long faults_made(void) { return *made; }

static int within(const char *path) { return !strncmp(path, root, strlen(root)); }

static int beneath(int folder, const char *path) {
    if (!ready || !path) return 0;
    if (path[0] == '/') return within(path);
    char link[64], place[PATH_MAX];
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    ssize_t size = readlink(link, place, sizeof place - 1);
    if (size < 0) return 0;
    place[size] = 0;
    return within(place);
}

static int opened(int handle) {
    char link[64], place[PATH_MAX];
    if (!ready) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t size = readlink(link, place, sizeof place - 1);
    if (size < 0) return 0;
    place[size] = 0;
    return within(place);
}

enum { PARTLY, NAMES, REMOVES };

/* Count a call; tell whether it fails. What only removes does not fail on a full disk, and POSIX
   lets no signal interrupt what changes names. */
static int struck(int whole) {
    long number = __sync_add_and_fetch(made, 1);
    if (killing && number == at) kill(getpid(), SIGKILL);
    if (!fault || whole == REMOVES && lasting || whole && fault == EINTR) return 0;
    if (number == at || lasting && number > at) {
        errno = fault;
        return 1;
    }
    return 0;
}

#define REAL(name, type, ...) static type (*real)(__VA_ARGS__); \
    if (!real) real = dlsym(RTLD_NEXT, name)
#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

#define OPEN(name) \
int name(const char *path, int flags, ...) { \
    REAL(#name, int, const char *, int, ...); \
    va_list more; va_start(more, flags); int mode = va_arg(more, int); va_end(more); \
    if (flags & WRITES && beneath(AT_FDCWD, path) && struck(PARTLY)) return -1; \
    return real(path, flags, mode); }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
int name(int folder, const char *path, int flags, ...) { \
    REAL(#name, int, int, const char *, int, ...); \
    va_list more; va_start(more, flags); int mode = va_arg(more, int); va_end(more); \
    if (flags & WRITES && beneath(folder, path) && struck(PARTLY)) return -1; \
    return real(folder, path, flags, mode); }
OPENAT(openat)
OPENAT(openat64)

/* A write that fails tears: half of it is written first, as a full disk and a kill leave it. */
ssize_t write(int handle, const void *data, size_t size) {
    REAL("write", ssize_t, int, const void *, size_t);
    static __thread int torn;
    if (!torn && opened(handle)) {
        long next = *made + 1;
        int half = next == at && size > 1 && (killing || lasting || fault == EIO);
        if (half) { torn = 1; real(handle, data, size / 2); torn = 0; }
        if (struck(PARTLY)) return -1;
    }
    return real(handle, data, size);
}

#define PWRITE(name, offset) \
ssize_t name(int handle, const void *data, size_t size, offset place) { \
    REAL(#name, ssize_t, int, const void *, size_t, offset); \
    return opened(handle) && struck(PARTLY) ? -1 : real(handle, data, size, place); }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int handle, const struct iovec *parts, int count) {
    REAL("writev", ssize_t, int, const struct iovec *, int);
    return opened(handle) && struck(PARTLY) ? -1 : real(handle, parts, count);
}

#define SENDFILE(name, offset) \
ssize_t name(int to, int from, offset *place, size_t size) { \
    REAL(#name, ssize_t, int, int, offset *, size_t); \
    return opened(to) && struck(PARTLY) ? -1 : real(to, from, place, size); }
SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

int fsync(int handle) {
    REAL("fsync", int, int);
    return opened(handle) && struck(PARTLY) ? -1 : real(handle);
}

int ftruncate(int handle, off_t size) {
    REAL("ftruncate", int, int, off_t);
    return opened(handle) && struck(REMOVES) ? -1 : real(handle, size);
}

int ftruncate64(int handle, off64_t size) {
    REAL("ftruncate64", int, int, off64_t);
    return opened(handle) && struck(REMOVES) ? -1 : real(handle, size);
}

int rename(const char *from, const char *to) {
    REAL("rename", int, const char *, const char *);
    return beneath(AT_FDCWD, to) && struck(NAMES) ? -1 : real(from, to);
}

int renameat(int one, const char *from, int two, const char *to) {
    REAL("renameat", int, int, const char *, int, const char *);
    return beneath(two, to) && struck(NAMES) ? -1 : real(one, from, two, to);
}

int mkdir(const char *path, mode_t mode) {
    REAL("mkdir", int, const char *, mode_t);
    return beneath(AT_FDCWD, path) && struck(NAMES) ? -1 : real(path, mode);
}

int unlink(const char *path) {
    REAL("unlink", int, const char *);
    return beneath(AT_FDCWD, path) && struck(REMOVES) ? -1 : real(path);
}

int unlinkat(int folder, const char *path, int flags) {
    REAL("unlinkat", int, int, const char *, int);
    return beneath(folder, path) && struck(REMOVES) ? -1 : real(folder, path, flags);
}

int rmdir(const char *path) {
    REAL("rmdir", int, const char *);
    return beneath(AT_FDCWD, path) && struck(REMOVES) ? -1 : real(path);
}
