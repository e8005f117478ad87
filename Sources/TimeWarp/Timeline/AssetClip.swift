import Media
import TimeMaps

/// A range of one media file, with a time map: a clip as it is rendered and measured. The clips of a composition come
/// down to these.
package struct AssetClip: Sendable {
    package let asset: Asset
    /// In asset time. For sound it may begin before the asset and end after it.
    package let range: TimeRange
    /// The map from output time to source time. Source time counts from the start of ``range``.
    package let map: TimeMap

    package init(asset: Asset, range: TimeRange, map: TimeMap) {
        self.asset = asset
        self.range = range
        self.map = map
    }

    /// What a time map plays of an asset between two instants of its output. They may lie outside of the map's output,
    /// where the map goes on at the speed that it has there.
    ///
    /// - Parameter start: the asset time at which the map's source begins.
    package init(
        of asset: Asset, through map: TimeMap, from start: RationalTime,
        window: (from: RationalTime, to: RationalTime)
    ) throws {
        let part = try map.window(from: window.from, to: window.to)
        self.init(
            asset: asset,
            range: try TimeRange(
                fittingStart: start.sum(part.sourceStart), duration: part.sourceDuration),
            map: part.map)
    }
}
