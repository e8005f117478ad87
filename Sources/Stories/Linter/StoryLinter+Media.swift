import Documents
import TimeMaps

extension StoryLinter {
    /// Finds files that are missing, damaged or too short.
    func mediaFindings(_ place: SegmentPlace) -> [StoryFinding] {
        let media = place.segment.media
        let path = place.path.key("media")
        var findings: [StoryFinding] = []
        switch place.clip.facts {
        case .unknown: break
        case .missing: findings.append(StoryFinding(.mediaMissing(media), at: path))
        case .damaged(let reason):
            findings.append(StoryFinding(.mediaDamaged(media, trimmed(reason)), at: path))
        case .usable(let lasts, _):
            if let range = place.segment.range, range.end > lasts {
                findings.append(
                    StoryFinding(
                        .rangeMissing(media, lasts: lasts.seconds), at: place.path.key("range")))
            }
        }
        if let trouble = place.clip.timing.trouble {
            findings.append(
                StoryFinding(.timeMapInvalid(trimmed(trouble)), at: place.retimingPath))
        }
        if let dissolve = place.segment.dissolve, let map = place.clip.timing.map {
            let lasts = place.segment.end(through: map)
            if dissolve.seconds >= lasts {
                findings.append(
                    StoryFinding(.dissolveTooLong(lasts), at: place.path.key("dissolve")))
            }
        }
        for (index, trouble) in place.clip.captionsTrouble.enumerated() {
            guard let trouble else {
                continue
            }
            let captions = place.segment.captions[index]
            findings.append(
                StoryFinding(
                    .captionsUnusable(captions.file, trimmed(trouble)),
                    at: place.path.key("captions").index(index).key("file")))
        }
        return findings
    }

    /// The reason without its full stop, because the sentence around it has one.
    func trimmed(_ reason: String) -> String {
        reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }
}

extension SegmentPlace {
    fileprivate var retimingPath: DocumentPath {
        switch segment.retiming {
        case .none: path
        case .warp: path.key("warp")
        case .timeMap: path.key("timeMap")
        case .timeMapFile: path.key("timeMapFile")
        }
    }
}
