#include "CWebPages.h"

// `#embed` is part of C23; Clang supports it as an extension in earlier versions of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct web_file files[] = {
    {"announce.js", (const char[]){
#embed "../TimeWarpStudio/Public/announce.js" suffix(, 0)
    }},
    {"api.js", (const char[]){
#embed "../TimeWarpStudio/Public/api.js" suffix(, 0)
    }},
    {"beat-times.js", (const char[]){
#embed "../TimeWarpStudio/Public/beat-times.js" suffix(, 0)
    }},
    {"beats-panel.js", (const char[]){
#embed "../TimeWarpStudio/Public/beats-panel.js" suffix(, 0)
    }},
    {"bezier.js", (const char[]){
#embed "../TimeWarpStudio/Public/bezier.js" suffix(, 0)
    }},
    {"cards.js", (const char[]){
#embed "../TimeWarpStudio/Public/cards.js" suffix(, 0)
    }},
    {"command-panel.js", (const char[]){
#embed "../TimeWarpStudio/Public/command-panel.js" suffix(, 0)
    }},
    {"controls.css", (const char[]){
#embed "../TimeWarpStudio/Public/controls.css" suffix(, 0)
    }},
    {"curve-menu.js", (const char[]){
#embed "../TimeWarpStudio/Public/curve-menu.js" suffix(, 0)
    }},
    {"curve-presets.js", (const char[]){
#embed "../TimeWarpStudio/Public/curve-presets.js" suffix(, 0)
    }},
    {"session.js", (const char[]){
#embed "../TimeWarpStudio/Public/session.js" suffix(, 0)
    }},
    {"dom.js", (const char[]){
#embed "../TimeWarpStudio/Public/dom.js" suffix(, 0)
    }},
    {"draft.js", (const char[]){
#embed "../TimeWarpStudio/Public/draft.js" suffix(, 0)
    }},
    {"edit-draft.js", (const char[]){
#embed "../TimeWarpStudio/Public/edit-draft.js" suffix(, 0)
    }},
    {"edit-files.js", (const char[]){
#embed "../TimeWarpStudio/Public/edit-files.js" suffix(, 0)
    }},
    {"edit-panel.js", (const char[]){
#embed "../TimeWarpStudio/Public/edit-panel.js" suffix(, 0)
    }},
    {"edit-saver.js", (const char[]){
#embed "../TimeWarpStudio/Public/edit-saver.js" suffix(, 0)
    }},
    {"edit-track.js", (const char[]){
#embed "../TimeWarpStudio/Public/edit-track.js" suffix(, 0)
    }},
    {"edit.css", (const char[]){
#embed "../TimeWarpStudio/Public/edit.css" suffix(, 0)
    }},
    {"errors.js", (const char[]){
#embed "../TimeWarpStudio/Public/errors.js" suffix(, 0)
    }},
    {"evaluator.js", (const char[]){
#embed "../TimeWarpStudio/Public/evaluator.js" suffix(, 0)
    }},
    {"events.js", (const char[]){
#embed "../TimeWarpStudio/Public/events.js" suffix(, 0)
    }},
    {"export-panel.js", (const char[]){
#embed "../TimeWarpStudio/Public/export-panel.js" suffix(, 0)
    }},
    {"fields.js", (const char[]){
#embed "../TimeWarpStudio/Public/fields.js" suffix(, 0)
    }},
    {"format-numbers.js", (const char[]){
#embed "../TimeWarpStudio/Public/format-numbers.js" suffix(, 0)
    }},
    {"frame-images.js", (const char[]){
#embed "../TimeWarpStudio/Public/frame-images.js" suffix(, 0)
    }},
    {"frame-tally.js", (const char[]){
#embed "../TimeWarpStudio/Public/frame-tally.js" suffix(, 0)
    }},
    {"history.js", (const char[]){
#embed "../TimeWarpStudio/Public/history.js" suffix(, 0)
    }},
    {"icons.js", (const char[]){
#embed "../TimeWarpStudio/Public/icons.js" suffix(, 0)
    }},
    {"importing.js", (const char[]){
#embed "../TimeWarpStudio/Public/importing.js" suffix(, 0)
    }},
    {"index.html", (const char[]){
#embed "../TimeWarpStudio/Public/index.html" suffix(, 0)
    }},
    {"job.js", (const char[]){
#embed "../TimeWarpStudio/Public/job.js" suffix(, 0)
    }},
    {"keyframe-edits.js", (const char[]){
#embed "../TimeWarpStudio/Public/keyframe-edits.js" suffix(, 0)
    }},
    {"keyframe-groups.js", (const char[]){
#embed "../TimeWarpStudio/Public/keyframe-groups.js" suffix(, 0)
    }},
    {"keyframe-row.js", (const char[]){
#embed "../TimeWarpStudio/Public/keyframe-row.js" suffix(, 0)
    }},
    {"keyframe-table.js", (const char[]){
#embed "../TimeWarpStudio/Public/keyframe-table.js" suffix(, 0)
    }},
    {"keyframe-text.js", (const char[]){
#embed "../TimeWarpStudio/Public/keyframe-text.js" suffix(, 0)
    }},
    {"keyframe-times.js", (const char[]){
#embed "../TimeWarpStudio/Public/keyframe-times.js" suffix(, 0)
    }},
    {"keys.js", (const char[]){
#embed "../TimeWarpStudio/Public/keys.js" suffix(, 0)
    }},
    {"match-drawing.js", (const char[]){
#embed "../TimeWarpStudio/Public/match-drawing.js" suffix(, 0)
    }},
    {"match-line.js", (const char[]){
#embed "../TimeWarpStudio/Public/match-line.js" suffix(, 0)
    }},
    {"match-panel.js", (const char[]){
#embed "../TimeWarpStudio/Public/match-panel.js" suffix(, 0)
    }},
    {"match-view.js", (const char[]){
#embed "../TimeWarpStudio/Public/match-view.js" suffix(, 0)
    }},
    {"match.css", (const char[]){
#embed "../TimeWarpStudio/Public/match.css" suffix(, 0)
    }},
    {"media-list.js", (const char[]){
#embed "../TimeWarpStudio/Public/media-list.js" suffix(, 0)
    }},
    {"notice.js", (const char[]){
#embed "../TimeWarpStudio/Public/notice.js" suffix(, 0)
    }},
    {"numbers.js", (const char[]){
#embed "../TimeWarpStudio/Public/numbers.js" suffix(, 0)
    }},
    {"output-form.js", (const char[]){
#embed "../TimeWarpStudio/Public/output-form.js" suffix(, 0)
    }},
    {"own-renders.js", (const char[]){
#embed "../TimeWarpStudio/Public/own-renders.js" suffix(, 0)
    }},
    {"pages.css", (const char[]){
#embed "../TimeWarpStudio/Public/pages.css" suffix(, 0)
    }},
    {"panels.css", (const char[]){
#embed "../TimeWarpStudio/Public/panels.css" suffix(, 0)
    }},
    {"play.css", (const char[]){
#embed "../TimeWarpStudio/Public/play.css" suffix(, 0)
    }},
    {"play.html", (const char[]){
#embed "../TimeWarpStudio/Public/play.html" suffix(, 0)
    }},
    {"play.js", (const char[]){
#embed "../TimeWarpStudio/Public/play.js" suffix(, 0)
    }},
    {"player.js", (const char[]){
#embed "../TimeWarpStudio/Public/player.js" suffix(, 0)
    }},
    {"plot-axes.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-axes.js" suffix(, 0)
    }},
    {"plot-beats.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-beats.js" suffix(, 0)
    }},
    {"plot-clip.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-clip.js" suffix(, 0)
    }},
    {"plot-clipboard.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-clipboard.js" suffix(, 0)
    }},
    {"plot-dom.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-dom.js" suffix(, 0)
    }},
    {"plot-drag.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-drag.js" suffix(, 0)
    }},
    {"plot-drawing.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-drawing.js" suffix(, 0)
    }},
    {"plot-easing.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-easing.js" suffix(, 0)
    }},
    {"plot-format.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-format.js" suffix(, 0)
    }},
    {"plot-geometry.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-geometry.js" suffix(, 0)
    }},
    {"plot-hover.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-hover.js" suffix(, 0)
    }},
    {"plot-keyframes.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-keyframes.js" suffix(, 0)
    }},
    {"plot-lanes.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-lanes.js" suffix(, 0)
    }},
    {"plot-layout.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-layout.js" suffix(, 0)
    }},
    {"plot-map.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-map.js" suffix(, 0)
    }},
    {"plot-moves.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-moves.js" suffix(, 0)
    }},
    {"plot-panel.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-panel.js" suffix(, 0)
    }},
    {"plot-part.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-part.js" suffix(, 0)
    }},
    {"plot-range.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-range.js" suffix(, 0)
    }},
    {"plot-scales.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-scales.js" suffix(, 0)
    }},
    {"plot-scroll.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-scroll.js" suffix(, 0)
    }},
    {"plot-selection.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-selection.js" suffix(, 0)
    }},
    {"plot-snap.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-snap.js" suffix(, 0)
    }},
    {"plot-tiles.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-tiles.js" suffix(, 0)
    }},
    {"plot-view.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-view.js" suffix(, 0)
    }},
    {"plot-window.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot-window.js" suffix(, 0)
    }},
    {"plot.css", (const char[]){
#embed "../TimeWarpStudio/Public/plot.css" suffix(, 0)
    }},
    {"plot.js", (const char[]){
#embed "../TimeWarpStudio/Public/plot.js" suffix(, 0)
    }},
    {"preset-motion.js", (const char[]){
#embed "../TimeWarpStudio/Public/preset-motion.js" suffix(, 0)
    }},
    {"preview-player.js", (const char[]){
#embed "../TimeWarpStudio/Public/preview-player.js" suffix(, 0)
    }},
    {"preview.js", (const char[]){
#embed "../TimeWarpStudio/Public/preview.js" suffix(, 0)
    }},
    {"render-acts.js", (const char[]){
#embed "../TimeWarpStudio/Public/render-acts.js" suffix(, 0)
    }},
    {"rendering-view.js", (const char[]){
#embed "../TimeWarpStudio/Public/rendering-view.js" suffix(, 0)
    }},
    {"renders-list.js", (const char[]){
#embed "../TimeWarpStudio/Public/renders-list.js" suffix(, 0)
    }},
    {"result-panel.js", (const char[]){
#embed "../TimeWarpStudio/Public/result-panel.js" suffix(, 0)
    }},
    {"result.css", (const char[]){
#embed "../TimeWarpStudio/Public/result.css" suffix(, 0)
    }},
    {"save-text.js", (const char[]){
#embed "../TimeWarpStudio/Public/save-text.js" suffix(, 0)
    }},
    {"saved-curves.js", (const char[]){
#embed "../TimeWarpStudio/Public/saved-curves.js" suffix(, 0)
    }},
    {"easing-from-curve.js", (const char[]){
#embed "../TimeWarpStudio/Public/easing-from-curve.js" suffix(, 0)
    }},
    {"keyframes-from-curve.js", (const char[]){
#embed "../TimeWarpStudio/Public/keyframes-from-curve.js" suffix(, 0)
    }},
    {"seek.js", (const char[]){
#embed "../TimeWarpStudio/Public/seek.js" suffix(, 0)
    }},
    {"small.css", (const char[]){
#embed "../TimeWarpStudio/Public/small.css" suffix(, 0)
    }},
    {"source-panel.js", (const char[]){
#embed "../TimeWarpStudio/Public/source-panel.js" suffix(, 0)
    }},
    {"store.js", (const char[]){
#embed "../TimeWarpStudio/Public/store.js" suffix(, 0)
    }},
    {"stories.css", (const char[]){
#embed "../TimeWarpStudio/Public/stories.css" suffix(, 0)
    }},
    {"stories.html", (const char[]){
#embed "../TimeWarpStudio/Public/stories.html" suffix(, 0)
    }},
    {"stories.js", (const char[]){
#embed "../TimeWarpStudio/Public/stories.js" suffix(, 0)
    }},
    {"story-film.js", (const char[]){
#embed "../TimeWarpStudio/Public/story-film.js" suffix(, 0)
    }},
    {"story-graph.js", (const char[]){
#embed "../TimeWarpStudio/Public/story-graph.js" suffix(, 0)
    }},
    {"story-text.js", (const char[]){
#embed "../TimeWarpStudio/Public/story-text.js" suffix(, 0)
    }},
    {"story-times.js", (const char[]){
#embed "../TimeWarpStudio/Public/story-times.js" suffix(, 0)
    }},
    {"studio.css", (const char[]){
#embed "../TimeWarpStudio/Public/studio.css" suffix(, 0)
    }},
    {"studio.js", (const char[]){
#embed "../TimeWarpStudio/Public/studio.js" suffix(, 0)
    }},
    {"tabs.js", (const char[]){
#embed "../TimeWarpStudio/Public/tabs.js" suffix(, 0)
    }},
    {"task-forms.js", (const char[]){
#embed "../TimeWarpStudio/Public/task-forms.js" suffix(, 0)
    }},
    {"times.js", (const char[]){
#embed "../TimeWarpStudio/Public/times.js" suffix(, 0)
    }},
    {"together.js", (const char[]){
#embed "../TimeWarpStudio/Public/together.js" suffix(, 0)
    }},
    {"transport.js", (const char[]){
#embed "../TimeWarpStudio/Public/transport.js" suffix(, 0)
    }},
    {"warp-form.js", (const char[]){
#embed "../TimeWarpStudio/Public/warp-form.js" suffix(, 0)
    }},
    {"undo-notice.js", (const char[]){
#embed "../TimeWarpStudio/Public/undo-notice.js" suffix(, 0)
    }},
    {"wipe.js", (const char[]){
#embed "../TimeWarpStudio/Public/wipe.js" suffix(, 0)
    }},
    {0, 0},
};

static const char openapi[] = {
#embed "../TimeWarpStudio/openapi.json" suffix(, 0)
};

const struct web_file *web_studio_files(void) { return files; }

const char *web_studio_openapi(void) { return openapi; }
