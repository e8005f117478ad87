// Simulates a failing disk: this library is preloaded into a program, lets some bytes pass and then fails.
//
//   FAILING_CALL    write, fsync, rename or read
//   FAILING_AFTER   how many bytes pass (write, read), or how many calls (fsync, rename)
//   FAILING_TIMES   how many calls fail after that (fsync, rename; default: all)
//   FAILING_ERROR   the error number
//   FAILING_FILE    for read: the end of the file's name; other files are read as usual
//   FAILING_FLAGS   set for a disk that can't exchange two names and can't rename without replacing
//
// Only regular files fail; pipes and devices don't.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long passed;

static int is_failing(const char *call) {
    const char *wanted = getenv("FAILING_CALL");
    return wanted && strcmp(wanted, call) == 0;
}

static long limit(void) {
    const char *after = getenv("FAILING_AFTER");
    return after ? atol(after) : 0;
}

static int error(void) {
    const char *number = getenv("FAILING_ERROR");
    return number ? atoi(number) : ENOSPC;
}

static int is_file(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static int is_named(int file, const char *end) {
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name);
    size_t wanted = strlen(end);
    return length >= (ssize_t)wanted && memcmp(name + length - wanted, end, wanted) == 0;
}

// How many of `count` bytes may be written. A full disk accepts what still fits.
static size_t room(int file, size_t count) {
    if (!is_failing("write") || !is_file(file))
        return count;
    long before = atomic_fetch_add(&passed, (long)count);
    long left = limit() - before;
    return left <= 0 ? 0 : (size_t)left < count ? (size_t)left : count;
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

ssize_t write(int file, const void *bytes, size_t count) {
    size_t fits = room(file, count);
    if (!fits && count) {
        errno = error();
        return -1;
    }
    return REAL("write", ssize_t (*)(int, const void *, size_t))(file, bytes, fits);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    size_t fits = room(file, count);
    if (!fits && count) {
        errno = error();
        return -1;
    }
    return REAL("pwrite", ssize_t (*)(int, const void *, size_t, off_t))(
        file, bytes, fits, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t place) {
    return pwrite(file, bytes, count, place);
}

ssize_t read(int file, void *bytes, size_t count) {
    const char *end = getenv("FAILING_FILE");
    if (is_failing("read") && end && is_file(file) && is_named(file, end)
        && atomic_fetch_add(&passed, (long)count) >= limit()) {
        errno = error();
        return -1;
    }
    return REAL("read", ssize_t (*)(int, void *, size_t))(file, bytes, count);
}

static int fails_at_call(const char *call) {
    if (!is_failing(call))
        return 0;
    const char *times = getenv("FAILING_TIMES");
    long number = atomic_fetch_add(&passed, 1) - limit();
    if (number < 0 || (times && number >= atol(times)))
        return 0;
    errno = error();
    return 1;
}

int fsync(int file) {
    return fails_at_call("fsync") ? -1 : REAL("fsync", int (*)(int))(file);
}

int rename(const char *from, const char *to) {
    return fails_at_call("rename")
        ? -1 : REAL("rename", int (*)(const char *, const char *))(from, to);
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    if (getenv("FAILING_FLAGS")) {
        errno = EINVAL;
        return -1;
    }
    return fails_at_call("rename")
        ? -1
        : REAL("renameat2", int (*)(int, const char *, int, const char *, unsigned))(
            a, from, b, to, flags);
}
