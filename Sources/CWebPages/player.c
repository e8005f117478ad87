#include "CWebPages.h"

// `#embed` is part of C23; Clang supports it as an extension in earlier versions of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct web_file files[] = {
    {"buttons.js", (const char[]){
#embed "../StoryBuilding/Player/buttons.js" suffix(, 0)
    }},
    {"captions.js", (const char[]){
#embed "../StoryBuilding/Player/captions.js" suffix(, 0)
    }},
    {"cards.js", (const char[]){
#embed "../StoryBuilding/Player/cards.js" suffix(, 0)
    }},
    {"choices.js", (const char[]){
#embed "../StoryBuilding/Player/choices.js" suffix(, 0)
    }},
    {"controls.css", (const char[]){
#embed "../StoryBuilding/Player/controls.css" suffix(, 0)
    }},
    {"controls.js", (const char[]){
#embed "../StoryBuilding/Player/controls.js" suffix(, 0)
    }},
    {"formula.js", (const char[]){
#embed "../StoryBuilding/Player/formula.js" suffix(, 0)
    }},
    {"fragments.js", (const char[]){
#embed "../StoryBuilding/Player/fragments.js" suffix(, 0)
    }},
    {"frames.js", (const char[]){
#embed "../StoryBuilding/Player/frames.js" suffix(, 0)
    }},
    {"full-screen.js", (const char[]){
#embed "../StoryBuilding/Player/full-screen.js" suffix(, 0)
    }},
    {"index.html", (const char[]){
#embed "../StoryBuilding/Player/index.html" suffix(, 0)
    }},
    {"visited-scenes.js", (const char[]){
#embed "../StoryBuilding/Player/visited-scenes.js" suffix(, 0)
    }},
    {"keys.js", (const char[]){
#embed "../StoryBuilding/Player/keys.js" suffix(, 0)
    }},
    {"manifest.js", (const char[]){
#embed "../StoryBuilding/Player/manifest.js" suffix(, 0)
    }},
    {"map.js", (const char[]){
#embed "../StoryBuilding/Player/map.js" suffix(, 0)
    }},
    {"media-buffer.js", (const char[]){
#embed "../StoryBuilding/Player/media-buffer.js" suffix(, 0)
    }},
    {"media-session.js", (const char[]){
#embed "../StoryBuilding/Player/media-session.js" suffix(, 0)
    }},
    {"media-source.js", (const char[]){
#embed "../StoryBuilding/Player/media-source.js" suffix(, 0)
    }},
    {"offer.js", (const char[]){
#embed "../StoryBuilding/Player/offer.js" suffix(, 0)
    }},
    {"panels.js", (const char[]){
#embed "../StoryBuilding/Player/panels.js" suffix(, 0)
    }},
    {"path.js", (const char[]){
#embed "../StoryBuilding/Player/path.js" suffix(, 0)
    }},
    {"picture-in-picture.js", (const char[]){
#embed "../StoryBuilding/Player/picture-in-picture.js" suffix(, 0)
    }},
    {"playback.js", (const char[]){
#embed "../StoryBuilding/Player/playback.js" suffix(, 0)
    }},
    {"player.css", (const char[]){
#embed "../StoryBuilding/Player/player.css" suffix(, 0)
    }},
    {"player.js", (const char[]){
#embed "../StoryBuilding/Player/player.js" suffix(, 0)
    }},
    {"progress.js", (const char[]){
#embed "../StoryBuilding/Player/progress.js" suffix(, 0)
    }},
    {"runtime.js", (const char[]){
#embed "../StoryBuilding/Player/runtime.js" suffix(, 0)
    }},
    {"samples.js", (const char[]){
#embed "../StoryBuilding/Player/samples.js" suffix(, 0)
    }},
    {"saves.js", (const char[]){
#embed "../StoryBuilding/Player/saves.js" suffix(, 0)
    }},
    {"scenes.js", (const char[]){
#embed "../StoryBuilding/Player/scenes.js" suffix(, 0)
    }},
    {"screen.js", (const char[]){
#embed "../StoryBuilding/Player/screen.js" suffix(, 0)
    }},
    {"seeks.js", (const char[]){
#embed "../StoryBuilding/Player/seeks.js" suffix(, 0)
    }},
    {"segment-store.js", (const char[]){
#embed "../StoryBuilding/Player/segment-store.js" suffix(, 0)
    }},
    {"settings.js", (const char[]){
#embed "../StoryBuilding/Player/settings.js" suffix(, 0)
    }},
    {"statements.js", (const char[]){
#embed "../StoryBuilding/Player/statements.js" suffix(, 0)
    }},
    {"stills.js", (const char[]){
#embed "../StoryBuilding/Player/stills.js" suffix(, 0)
    }},
    {"visits.js", (const char[]){
#embed "../StoryBuilding/Player/visits.js" suffix(, 0)
    }},
    {"ways.js", (const char[]){
#embed "../StoryBuilding/Player/ways.js" suffix(, 0)
    }},
    {"whole-file.js", (const char[]){
#embed "../StoryBuilding/Player/whole-file.js" suffix(, 0)
    }},
    {"whole-files.js", (const char[]){
#embed "../StoryBuilding/Player/whole-files.js" suffix(, 0)
    }},
    {"words.js", (const char[]){
#embed "../StoryBuilding/Player/words.js" suffix(, 0)
    }},
    {0, 0},
};

const struct web_file *web_player_files(void) { return files; }
