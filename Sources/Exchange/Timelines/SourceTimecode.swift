import Media
import TimeMaps
import TimeWarp

extension MediaSource {
    /// The timecode of the file's first frame, as a time; nil if the file has none. That of a composition is nil.
    var timecodeStart: RationalTime? {
        guard let asset else {
            return nil
        }
        let tags = [asset.tags] + asset.streams.map(\.tags)
        guard let text = tags.lazy.compactMap({ $0["timecode"] }).first,
            let rate = asset.mainVideo?.videoFormat?.usualRate
        else {
            return nil
        }
        let grid = FrameGrid(rate)
        return grid.frames(timecode: text).flatMap { try? grid.time($0) }
    }
}
