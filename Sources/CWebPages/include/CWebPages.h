// The files of the pages, as parts of the program. C's `#embed` takes no time; a Swift array of as many bytes
// takes minutes.
#ifndef TIMEWARP_CWEBPAGES_H
#define TIMEWARP_CWEBPAGES_H

struct web_file {
    const char *name;
    /// Ends with a zero.
    const char *text;
};

/// The studio's files; the last one has no name.
const struct web_file *web_studio_files(void);
/// The files of the stories' player; the last one has no name.
const struct web_file *web_player_files(void);
/// What programs may ask of the studio. Ends with a zero.
const char *web_studio_openapi(void);

#endif
