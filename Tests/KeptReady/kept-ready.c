// Keeps a program ready to start. Most of a short run of `ffmpeg` is the loading of its two hundred libraries: 65 ms, and
// tests run it over a thousand times. Here it is loaded once, and each run is a fork of it.
//
//   test ── ffmpeg (CALLER) ──▶ socket ──▶ ffmpeg, loaded (this, preloaded) ── fork: keeper ── fork: the run
//              arguments, environment, folder, standard streams ▶        ◀ status
//
// Built as a library it is preloaded into the program, and waits at the socket READY_SOCKET in place of `main`. Built with
// CALLER, a path, it is what tests call in the program's stead: a run by the loaded program, or if there is none by the one
// at that path. A run ends with its caller.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

// Standard input, output and errors, and the current folder.
enum { DESCRIPTORS = 4, MOST_BYTES = 4 << 20 };

// The strings follow, arguments before variables, each with a zero at its end.
struct call {
    uint32_t arguments, variables, bytes;
};

static struct sockaddr_un address_of(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    return address;
}

#ifdef CALLER

static void append(char *bytes, struct call *call, uint32_t *count, char **strings) {
    for (; *strings; strings++, (*count)++) {
        size_t length = strlen(*strings) + 1;
        if (call->bytes + length > MOST_BYTES) {
            exit(125);
        }
        memcpy(bytes + call->bytes, *strings, length);
        call->bytes += length;
    }
}

// Whether all was sent.
static int send_call(int connection, char **arguments, char **variables) {
    static char bytes[MOST_BYTES];
    struct call call = {0, 0, 0};
    append(bytes, &call, &call.arguments, arguments);
    append(bytes, &call, &call.variables, variables);
    int descriptors[DESCRIPTORS] = {0, 1, 2, open(".", O_PATH | O_DIRECTORY)};
    char control[CMSG_SPACE(sizeof descriptors)] = {0};
    struct iovec parts[] = {{&call, sizeof call}, {bytes, call.bytes}};
    struct msghdr message = {
        .msg_iov = parts, .msg_iovlen = 2, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptors);
    memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
    return sendmsg(connection, &message, 0) == (ssize_t)(sizeof call + call.bytes);
}

int main(int count, char **arguments, char **variables) {
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), status;
    struct sockaddr_un address = address_of(CALLER_SOCKET);
    // What is to be preloaded isn't in a program that is loaded already.
    if (getenv("LD_PRELOAD") || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
        execv(CALLER, arguments);
        perror(CALLER);
        return 127;
    }
    if (!send_call(connection, arguments, variables)
        || recv(connection, &status, sizeof status, MSG_WAITALL) != sizeof status) {
        fprintf(stderr, "%s was kept ready, and ended.\n", CALLER);
        return 125;
    }
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}

#else

typedef int main_function(int, char **, char **);
static main_function *program;

static char **take_strings(char **from, uint32_t count) {
    char **strings = calloc(count + 1, sizeof *strings);
    for (uint32_t index = 0; index < count; index++) {
        strings[index] = *from;
        *from += strlen(*from) + 1;
    }
    return strings;
}

// In a process of its own.
static int run(int connection) {
    struct call call;
    int descriptors[DESCRIPTORS];
    char control[CMSG_SPACE(sizeof descriptors)];
    struct iovec part = {&call, sizeof call};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(connection, &message, MSG_WAITALL) != sizeof call || !CMSG_FIRSTHDR(&message)) {
        return 125;
    }
    memcpy(descriptors, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptors);
    char *bytes = malloc(call.bytes);
    if (!bytes || recv(connection, bytes, call.bytes, MSG_WAITALL) != (ssize_t)call.bytes) {
        return 125;
    }
    close(connection);
    for (int stream = 0; stream < 3; stream++) {
        dup2(descriptors[stream], stream);
        close(descriptors[stream]);
    }
    if (fchdir(descriptors[3]) != 0) {
        return 125;
    }
    close(descriptors[3]);
    char **arguments = take_strings(&bytes, call.arguments);
    environ = take_strings(&bytes, call.variables);
    return program((int)call.arguments, arguments, environ);
}

// Starts a run, tells its status, and ends it if whoever asked for it is gone.
static void keep(int connection) {
    pid_t child = fork();
    if (child == 0) {
        exit(run(connection));
    }
    struct pollfd events[] = {
        {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN}, {.fd = connection, .events = POLLRDHUP}};
    // Before Linux 5.3 a process can't be waited for in this way.
    while (events[0].fd >= 0 && poll(events, 2, -1) < 0 && errno == EINTR) {
    }
    if (events[1].revents) {
        kill(child, SIGKILL);
    }
    int status;
    waitpid(child, &status, 0);
    send(connection, &status, sizeof status, MSG_NOSIGNAL);
    _exit(0);
}

static int serve(int count, char **arguments, char **variables) {
    (void)count, (void)arguments, (void)variables;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct sockaddr_un address = address_of(getenv("READY_SOCKET"));
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) != 0 || listen(listening, 64) != 0) {
        perror("READY_SOCKET");
        return 1;
    }
    signal(SIGCHLD, SIG_IGN);
    while (1) {
        int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        if (connection < 0) {
            continue;
        }
        if (fork() == 0) {
            close(listening);
            signal(SIGCHLD, SIG_DFL);
            keep(connection);
        }
        close(connection);
    }
}

// What the C library calls of every program, with its `main`.
int __libc_start_main(
    main_function *given, int count, char **arguments, void (*init)(void), void (*fini)(void), void (*end)(void),
    void *stack) {
    int (*start)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
        dlsym(RTLD_NEXT, "__libc_start_main");
    program = given;
    return start(serve, count, arguments, init, fini, end, stack);
}

#endif
