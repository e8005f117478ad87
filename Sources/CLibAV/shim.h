// What Swift can't import by itself from FFmpeg's libraries and from the system, each with the reason beside it.
// No other C in the project uses FFmpeg. Nothing here has behaviour of its own.
#ifndef TIMEWARP_CLIBAV_SHIM_H
#define TIMEWARP_CLIBAV_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/hdr_dynamic_metadata.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/murmur3.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libavutil/tx.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Swift doesn't import macros that are built from other macros or from casts.
static const int64_t TW_NO_PTS = AV_NOPTS_VALUE;
static const int TW_ERROR_EOF = AVERROR_EOF;
static const int TW_ERROR_AGAIN = AVERROR(EAGAIN);
static const int TW_ERROR_INVALID_DATA = AVERROR_INVALIDDATA;
static const int TW_ERROR_EXIT = AVERROR_EXIT;
static const int TW_ERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int TW_ERROR_ENCODER_NOT_FOUND = AVERROR_ENCODER_NOT_FOUND;

// Renaming that never replaces a file, and renaming that exchanges two files: each system has its own call. glibc
// declares its call only if GNU extensions are enabled, which Swift doesn't do.
// They return 0; or -1 with errno, which is ENOSYS if the system has no such call.
#ifdef __GLIBC__
extern int renameat2(int, const char *, int, const char *, unsigned);
static inline int tw_rename_new(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 1);
}
static inline int tw_rename_exchange(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 2);
}
#elif defined(__APPLE__)
static inline int tw_rename_new(const char *from, const char *to) {
    return renamex_np(from, to, RENAME_EXCL);
}
static inline int tw_rename_exchange(const char *from, const char *to) {
    return renamex_np(from, to, RENAME_SWAP);
}
#else
static inline int tw_rename_new(const char *from, const char *to) {
    errno = ENOSYS;
    return -1;
}
static inline int tw_rename_exchange(const char *from, const char *to) {
    return tw_rename_new(from, to);
}
#endif

// Swift doesn't import function-like macros such as AVERROR and AVUNERROR.
static inline int tw_error_from_errno(int error) { return AVERROR(error); }
static inline int tw_errno_from_error(int error) { return AVUNERROR(error); }

// AVFrame.duration exists since FFmpeg 6; before, the field had another name.
static inline int64_t tw_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

// FFmpeg 6.1 moved the interlace flags from fields of their own to bits of one field.
// 0: progressive; 1: interlaced, lower field first; 3: interlaced, upper field first.
static inline int tw_frame_field_flags(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED ? 1 : 0)
        | (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST ? 2 : 0);
#else
    return (frame->interlaced_frame ? 1 : 0) | (frame->top_field_first ? 2 : 0);
#endif
}

// Reverses the field order.
static inline void tw_frame_swap_fields(AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags ^= AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    frame->top_field_first = !frame->top_field_first;
#endif
}

static inline void tw_frame_set_key(AVFrame *frame, int key) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags = key ? frame->flags | AV_FRAME_FLAG_KEY : frame->flags & ~AV_FRAME_FLAG_KEY;
#else
    frame->key_frame = key;
#endif
}

// FFmpeg 6.1 moved the side data of a stream into its codec parameters.
static inline int tw_side_data_count(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 29, 100)
    return stream->codecpar->nb_coded_side_data;
#else
    return stream->nb_side_data;
#endif
}

static inline const AVPacketSideData *tw_side_data_at(const AVStream *stream, int index) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 29, 100)
    return &stream->codecpar->coded_side_data[index];
#else
    return &stream->side_data[index];
#endif
}

static inline uint8_t *tw_new_side_data(
    AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 29, 100)
    AVPacketSideData *data = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
    return data ? data->data : NULL;
#else
    return av_stream_new_side_data(stream, type, size);
#endif
}

static inline void tw_free_wrapped_frame(void *opaque, uint8_t *data) {
    AVFrame *frame = (AVFrame *)data;
    (void)opaque;
    av_frame_free(&frame);
}

// Turns a packet with the bytes of a frame into one that refers to the frame, as the muxer of YUV4MPEG2 takes it.
static inline int tw_wrap_frame(AVPacket *packet, enum AVPixelFormat format, int width, int height) {
    int result = av_packet_make_refcounted(packet);
    AVFrame *frame = result < 0 ? NULL : av_frame_alloc();
    if (!frame) {
        return result < 0 ? result : AVERROR(ENOMEM);
    }
    result = av_image_fill_arrays(frame->data, frame->linesize, packet->data, format, width, height, 1);
    AVBufferRef *wrapped = result < 0 || result > packet->size ? NULL
        : av_buffer_create((uint8_t *)frame, sizeof(*frame), tw_free_wrapped_frame, NULL, AV_BUFFER_FLAG_READONLY);
    if (!wrapped) {
        av_frame_free(&frame);
        return AVERROR_INVALIDDATA;
    }
    frame->buf[0] = packet->buf;
    frame->format = format;
    frame->width = width;
    frame->height = height;
    packet->buf = wrapped;
    packet->data = (uint8_t *)frame;
    packet->size = (int)sizeof(*frame);
    return 0;
}

// FFmpeg 7.1 replaced the lists of what an encoder supports by a function.
static inline const enum AVPixelFormat *tw_pixel_formats(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *list = NULL;
    avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &list, NULL);
    return (const enum AVPixelFormat *)list;
#else
    return codec->pix_fmts;
#endif
}

static inline const enum AVSampleFormat *tw_sample_formats(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *list = NULL;
    avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, &list, NULL);
    return (const enum AVSampleFormat *)list;
#else
    return codec->sample_fmts;
#endif
}

static inline const int *tw_sample_rates(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *list = NULL;
    avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_RATE, 0, &list, NULL);
    return (const int *)list;
#else
    return codec->supported_samplerates;
#endif
}

static inline const AVChannelLayout *tw_channel_layouts(const AVCodec *codec) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *list = NULL;
    avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_CHANNEL_LAYOUT, 0, &list, NULL);
    return (const AVChannelLayout *)list;
#else
    return codec->ch_layouts;
#endif
}

// SwsContext is opaque before FFmpeg 7.1 and a struct since then. Swift imports these as two different types.
static inline void *tw_scaler_new(
    int from_width, int from_height, enum AVPixelFormat from, int to_width, int to_height,
    enum AVPixelFormat to) {
    return sws_getContext(
        from_width, from_height, from, to_width, to_height, to,
        SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, NULL, NULL, NULL);
}

static inline void tw_scaler_set_colors(
    void *scaler, int from_matrix, int from_full, int to_matrix, int to_full) {
    sws_setColorspaceDetails(
        (struct SwsContext *)scaler, sws_getCoefficients(from_matrix), from_full,
        sws_getCoefficients(to_matrix), to_full, 0, 1 << 16, 1 << 16);
}

static inline int tw_scaler_run(void *scaler, AVFrame *to, const AVFrame *from) {
    return sws_scale_frame((struct SwsContext *)scaler, to, from);
}

// Scales into a part of a frame, which sws_scale_frame can't do.
static inline int tw_scaler_run_into(
    void *scaler, uint8_t *const to[4], const int to_strides[4], const AVFrame *from) {
    return sws_scale(
        (struct SwsContext *)scaler, (const uint8_t *const *)from->data, from->linesize, 0,
        from->height, to, to_strides);
}

// Strides are ptrdiff_t here and int everywhere else.
static inline int tw_fill_black(AVFrame *frame) {
    ptrdiff_t strides[4] = {
        frame->linesize[0], frame->linesize[1], frame->linesize[2], frame->linesize[3]};
    return av_image_fill_black(
        frame->data, strides, (enum AVPixelFormat)frame->format, frame->color_range, frame->width,
        frame->height);
}

static inline void tw_scaler_free(void *scaler) {
    sws_freeContext((struct SwsContext *)scaler);
}

// The bytes that are written aren't constant before FFmpeg 7.
#if LIBAVFORMAT_VERSION_MAJOR < 61
typedef int (*tw_write_function)(void *, uint8_t *, int);
#else
typedef int (*tw_write_function)(void *, const uint8_t *, int);
#endif

// Makes an output that hands its bytes to a function; NULL if memory has run out.
static inline AVIOContext *tw_sink_new(
    void *owner, int (*write)(void *, const uint8_t *, int), int size) {
    uint8_t *buffer = (uint8_t *)av_malloc(size);
    AVIOContext *sink =
        buffer ? avio_alloc_context(buffer, size, 1, owner, NULL, (tw_write_function)write, NULL)
               : NULL;
    if (!sink)
        av_free(buffer);
    return sink;
}

static inline void tw_sink_free(AVIOContext **sink) {
    if (*sink)
        av_freep(&(*sink)->buffer);
    avio_context_free(sink);
}

// libav has no function that adds a chapter: the caller must grow the array with libav's allocator.
static inline int tw_add_chapter(
    AVFormatContext *context, int64_t id, AVRational time_base, int64_t start, int64_t end,
    const AVDictionary *metadata) {
    AVChapter **chapters = (AVChapter **)av_realloc_array(
        context->chapters, context->nb_chapters + 1, sizeof(*chapters));
    if (!chapters)
        return AVERROR(ENOMEM);
    context->chapters = chapters;
    AVChapter *chapter = (AVChapter *)av_mallocz(sizeof(*chapter));
    if (!chapter)
        return AVERROR(ENOMEM);
    chapter->id = id;
    chapter->time_base = time_base;
    chapter->start = start;
    chapter->end = end;
    av_dict_copy(&chapter->metadata, metadata, 0);
    chapters[context->nb_chapters++] = chapter;
    return 0;
}

#endif
