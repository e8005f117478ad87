import Media
import TimeWarp

/// The facts about a clip that the page shows.
struct MediaFacts: Codable, Sendable {
    struct Video: Codable, Sendable {
        /// The size as displayed: upright, with square pixels.
        var width: Int
        var height: Int
        var codec: String
        var frameRate: Double?
    }

    struct Audio: Codable, Sendable {
        var codec: String
        var sampleRate: Int
        var channels: String
    }

    /// The duration in seconds.
    var duration: Double
    /// libav's name for the container.
    var format: String
    var video: Video?
    var audio: Audio?

    init(_ source: MediaSource) {
        if let asset = source.asset {
            self.init(asset)
        } else {
            self.init(composition: source)
        }
    }

    /// The facts about a composition: those of the clips that are seen and heard first, with its own duration and size.
    private init(composition: MediaSource) {
        duration = composition.duration.seconds
        format = "composition"
        video = composition.firstSeenAsset.flatMap { MediaFacts($0).video }
        if let size = composition.statedSize {
            video?.width = size.width
            video?.height = size.height
        }
        video?.frameRate = composition.videoFormat?.frameRate?.framesPerSecond
        audio = composition.assets.lazy.compactMap { MediaFacts($0).audio }.first
    }

    private init(_ asset: Asset) {
        duration = asset.duration.seconds
        format = asset.formatName
        if let stream = asset.mainVideo, let format = stream.videoFormat {
            let pixel = format.sampleAspectRatio.map {
                Double($0.numerator) / Double(max($0.denominator, 1))
            }
            let width = Int((Double(format.width) * (pixel ?? 1)).rounded())
            let isOnItsSide = Int((stream.rotation / 90).rounded()) % 2 == 1
            video = Video(
                width: isOnItsSide ? format.height : width,
                height: isOnItsSide ? width : format.height, codec: stream.codecName,
                frameRate: format.frameRate?.framesPerSecond)
        }
        if let stream = asset.audioStreams.first, let sound = stream.audioFormat {
            audio = Audio(
                codec: stream.codecName, sampleRate: sound.sampleRate,
                channels: sound.layout.description)
        }
    }
}
