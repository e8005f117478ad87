// Tells the thread sanitizer about Swift's Mutex.
//
// When a Mutex is contended, locking and unlocking happen in libswiftSynchronization, which isn't built with the
// sanitizer. Accesses that the lock guards then look like races. This library is preloaded, wraps those two functions
// and reports what they do to the sanitizer: https://clang.llvm.org/docs/ThreadSanitizer.html, tsan_interface.h.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Only programs that are built with the sanitizer have these functions.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF handle) __asm__(LOCK);
SWIFT void unlock_slow(SELF handle) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF handle) {
    typedef SWIFT void (*Function)(uint32_t, SELF);
    ((Function)dlsym(RTLD_NEXT, LOCK))(thread, handle);
    if (__tsan_acquire)
        __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF handle) {
    typedef SWIFT void (*Function)(SELF);
    if (__tsan_release)
        __tsan_release(handle);
    ((Function)dlsym(RTLD_NEXT, UNLOCK))(handle);
}
