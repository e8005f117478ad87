// Imports GNU libmicrohttpd and adds what Swift cannot import by itself, each with its reason.
#ifndef TIMEWARP_CMICROHTTPD_SHIM_H
#define TIMEWARP_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

// Swift doesn't import macros that contain casts.
static const uint64_t TW_SIZE_UNKNOWN = MHD_SIZE_UNKNOWN;
static const ssize_t TW_END_OF_STREAM = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t TW_END_WITH_ERROR = MHD_CONTENT_READER_END_WITH_ERROR;

// Swift doesn't import functions with variable arguments.
static inline int tw_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int) info->connect_fd : -1;
}
static inline void *tw_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}
static inline struct MHD_Daemon *tw_start_daemon(
    unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
    struct MHD_OptionItem *options) {
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

#endif
