"""Only the file that was named on the command line is opened, whatever that file names.

A small preloaded library between timewarp and the C library records every file that is opened and every
address that is connected to. ffmpeg, which does follow such names, proves that the library sees them.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import damage_seeds

PROGRAM = os.environ["TIMEWARP"]

WATCHER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(const char *what, const char *name) {
    char line[4096];
    int length = snprintf(line, sizeof line, "%s %s\n", what, name ? name : "");
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int file = real(getenv("WATCHED"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (file >= 0) {
        if (write(file, line, length) < 0) {}
        close(file);
    }
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0; \
        va_end(more); \
        note("open", path); \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        return real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0; \
        va_end(more); \
        note("open", path); \
        int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        return real(folder, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name) \
    FILE *name(const char *path, const char *mode) { \
        note("open", path); \
        FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, #name); \
        return real(path, mode); \
    }
FOPEN(fopen)
FOPEN(fopen64)

int connect(int socket, const struct sockaddr *address, socklen_t length) {
    note("connect", address->sa_family == AF_UNIX ? "unix" : "network");
    int (*real)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
    return real(socket, address, length);
}

int bind(int socket, const struct sockaddr *address, socklen_t length) {
    note("bind", address->sa_family == AF_UNIX ? "unix" : "network");
    int (*real)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "bind");
    return real(socket, address, length);
}
"""

HLS = ("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{}\n#EXT-X-ENDLIST\n")
SDP = ("v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\n"
       "m=video 45678 RTP/AVP 96\na=rtpmap:96 H264/90000\n")
DASH = """<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"
 profiles="urn:mpeg:dash:profile:isoff-live:2011"><Period><AdaptationSet mimeType="video/mp4">
<Representation id="0" bandwidth="1000" width="64" height="64"><BaseURL>{}</BaseURL>
<SegmentList duration="2">
<SegmentURL media="{}"/></SegmentList></Representation></AdaptationSet></Period></MPD>
"""
IMF = """<?xml version="1.0" encoding="UTF-8"?>
<CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:0</Id>
<EditRate>24 1</EditRate><SegmentList/></CompositionPlaylist>
"""
SMIL = """<smil><body><video src="{}"/></body></smil>"""
SSA = """[Script Info]
ScriptType: v4.00+
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,{}
"""
SECRET = "/etc/hostname"

# Files that name other files: file name and content. {} stands for the other file.
LISTS = {
    "list.m3u8": HLS,
    "list-as-film.mp4": HLS,
    "list.ffconcat": "ffconcat version 1.0\nfile '{}'\n",
    "concat-as-film.mkv": "ffconcat version 1.0\nfile '{}'\n",
    "session.sdp": SDP,
    "show.mpd": DASH,
    "CPL.xml": IMF,
    "show.smil": SMIL,
    "words.ass": SSA,
    "words.srt": "1\n00:00:00,000 --> 00:00:01,000\n<img src=\"{}\"/>\n",
    "vobsub.idx": "# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\n"
                  "timestamp: 00:00:00:000, filepos: 000000000\n",
    "stream.asx": '<ASX version="3"><ENTRY><REF HREF="{}"/></ENTRY></ASX>',
    "stream.pls": "[playlist]\nFile1={}\nNumberOfEntries=1\n",
    "rtsp.txt": "RTSPtextRTSP://127.0.0.1:45679/x",
    "reference.mov-list": "RTSPtext\r\nrtsp://127.0.0.1:45679/x\r\n",
}
NAMES = [SECRET, "named.ts", "http://127.0.0.1:45677/named.ts", "file:named.ts",
         "concat:named.ts|named.ts", "subfile,,start,0,end,100,,:named.ts"]


def box(name, content):
    """A box (atom) of an MP4 or MOV file."""
    return (len(content) + 8).to_bytes(4, "big") + name + content


class NamedFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not compiler or os.uname().sysname != "Linux":
            raise AssertionError("a C compiler on Linux is needed; building timewarp needs one too")
        cls.place = tempfile.TemporaryDirectory(prefix="timewarp-named-")
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = pathlib.Path(cls.place.name).resolve()
        source, cls.watcher = cls.folder / "watcher.c", cls.folder / "watcher.so"
        source.write_text(WATCHER)
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-w", "-o", cls.watcher, source, "-ldl"], check=True)
        damage_seeds.ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x64:d=2", "-c:v", "libx264",
                            cls.folder / "named.ts")

    def opened(self, *command):
        """What a command opens and connects to, its exit code, and what it prints."""
        log = self.folder / "watched.log"
        log.unlink(missing_ok=True)
        environment = dict(os.environ, LD_PRELOAD=str(self.watcher), WATCHED=str(log),
                           SWIFT_BACKTRACE="enable=no")
        done = subprocess.run([str(each) for each in command], env=environment, timeout=60,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              cwd=self.folder)
        return log.read_text().splitlines() if log.exists() else [], done.returncode, done.stderr

    def test_the_watcher_sees_what_ffmpeg_follows(self):
        (self.folder / "seen.ffconcat").write_text("ffconcat version 1.0\nfile named.ts\n")
        seen, code, words = self.opened("ffprobe", "-v", "error", self.folder / "seen.ffconcat")
        self.assertEqual(code, 0, words)
        self.assertTrue([line for line in seen if line.endswith("named.ts")], seen)

    def requireOnly(self, path):
        seen, code, words = self.opened(PROGRAM, "inspect", path)
        self.assertTrue([line for line in seen if line.endswith(path.name)], seen)
        others = [line for line in seen
                  if "named.ts" in line or SECRET in line or line.startswith(("connect", "bind"))
                  or (str(self.folder) in line and not line.endswith(path.name))]
        self.assertEqual(others, [], path.name)
        return code, words

    def test_lists_are_refused_and_nothing_that_they_name_is_opened(self):
        for name, content in LISTS.items():
            for named in NAMES:
                with self.subTest(list=name, named=named):
                    path = self.folder / name
                    path.write_text(content.replace("{}", named))
                    code, words = self.requireOnly(path)
                    self.assertIn(code, (65,), words)
                    self.assertNotIn("\n\n", words.strip())

    def test_a_list_is_named_as_one(self):
        for name in ("list.m3u8", "list.ffconcat", "session.sdp"):
            path = self.folder / name
            path.write_text(LISTS[name].replace("{}", "named.ts"))
            _, words = self.requireOnly(path)
            self.assertIn("other files or addresses", words)

    def test_a_film_whose_media_lie_in_another_file(self):
        path = self.folder / "reference.mov"
        damage_seeds.ffmpeg(*damage_seeds.PICTURES, *damage_seeds.X264, self.folder / "whole.mov")
        data = (self.folder / "whole.mov").read_bytes()
        # Changes a data reference that says "in this same file" into an alias to another file.
        place = data.index(b"url \x00\x00\x00\x01")
        for kind, flags in ((b"url ", b"\0\0\0\0"), (b"alis", b"\0\0\0\0")):
            path.write_bytes(data[:place] + kind + flags + data[place + 8:])
            self.requireOnly(path)

    def test_an_mp4_that_names_an_address(self):
        path = self.folder / "address.mov"
        body = b"url " + b"\0\0\0\0" + b"http://127.0.0.1:45677/named.ts\0"
        entry = (len(body) + 4).to_bytes(4, "big") + body
        data = (self.folder / "named.ts").read_bytes()
        # This isn't a valid film, but it begins like one: an old reference movie.
        address = b"http://127.0.0.1:45677/named.ts\0"
        rdrf = b"\0\0\0\0url " + len(address).to_bytes(4, "big") + address
        reference = box(b"moov", box(b"rmra", box(b"rmda", box(b"rdrf", rdrf))))
        path.write_bytes(reference + entry + data[:1000])
        code, words = self.requireOnly(path)
        self.assertEqual(code, 65, words)

    def test_names_that_look_like_addresses_are_names(self):
        shutil.copy(self.folder / "named.ts", self.folder / "concat:named.ts")
        seen, code, words = self.opened(PROGRAM, "inspect", "concat:named.ts")
        self.assertEqual(code, 0, words)
        seen, code, words = self.opened(PROGRAM, "inspect", "http://127.0.0.1:45677/named.ts")
        self.assertEqual(code, 66, words)
        self.assertFalse([line for line in seen if line.startswith("connect")], seen)


class Pipes(unittest.TestCase):
    def test_a_pipe_is_refused_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder) / "pipe.mp4"
            os.mkfifo(pipe)
            for command in (["inspect"], ["copy", "-o", f"{folder}/out.mkv"]):
                # Nobody ever writes to this pipe.
                done = subprocess.run([PROGRAM, command[0], pipe, *command[1:]], timeout=120,
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 66, done.stderr)
                self.assertIn("pipe", done.stderr)
                self.assertIn("Save it as a file first", done.stderr)

    def test_standard_input_is_read_where_it_is_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            clip = pathlib.Path(folder) / "clip.wav"
            damage_seeds.ffmpeg(*damage_seeds.TONE, clip)
            with open(clip, "rb") as file:
                done = subprocess.run([PROGRAM, "inspect", "/dev/stdin"], stdin=file, timeout=120,
                                      capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = subprocess.run([PROGRAM, "inspect", "/dev/stdin"], input=clip.read_bytes(),
                                  capture_output=True, timeout=120)
            self.assertEqual(done.returncode, 66, done.stderr)

    def test_devices_are_refused(self):
        done = subprocess.run(
            [PROGRAM, "inspect", "/dev/zero"], timeout=120, capture_output=True, text=True)
        self.assertEqual(done.returncode, 66, done.stderr)


if __name__ == "__main__":
    unittest.main()
