// The files of the web pages, embedded in the program. C's `#embed` compiles quickly; a Swift array of the same
// bytes takes minutes to compile.
#ifndef TIMEWARP_CWEBPAGES_H
#define TIMEWARP_CWEBPAGES_H

struct web_file {
    /// The file name without a folder.
    const char *name;
    /// The content, terminated by a zero.
    const char *text;
};

/// The studio's files. The array ends with an entry without a name.
const struct web_file *web_studio_files(void);
/// The files of the story player. The array ends with an entry without a name.
const struct web_file *web_player_files(void);
/// The OpenAPI document of the studio's HTTP API, terminated by a zero.
const char *web_studio_openapi(void);

#endif
