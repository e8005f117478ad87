import Stories
import TimeWarp

extension Story {
    /// The segments in the order in which they lie in the media: those on the way to winning first, one
    /// after another as they are played, then the others as the file has them.
    ///
    /// The way is the shortest from the start to a `winning` segment and on to an epilogue; without one, to
    /// an epilogue. O(segments and choices).
    var mediaOrder: [String] {
        let ending =
            way(from: start) { $0.role == .winning } ?? way(from: start) { $0.role == .epilogue }
            ?? [start]
        let rest = ending.last.flatMap { last in way(from: last) { $0.role == .epilogue } } ?? []
        var order: [String] = []
        var seen: Set<String> = []
        for name in ending + rest + segments.keys where segments[name] != nil {
            if seen.insert(name).inserted {
                order.append(name)
            }
        }
        return order
    }

    /// The shortest way to a segment of a kind, both ends included; nil where there is none.
    private func way(from first: String, to isGoal: (Segment) -> Bool) -> [String]? {
        var before: [String: String] = [:]
        var seen: Set<String> = [first]
        var queue = [first]
        var place = 0
        while place < queue.count {
            let name = queue[place]
            place += 1
            guard let segment = segments[name] else {
                continue
            }
            if isGoal(segment) {
                var way = [name]
                while let previous = before[way[way.count - 1]] {
                    way.append(previous)
                }
                return way.reversed()
            }
            for target in segment.exits where seen.insert(target).inserted {
                before[target] = name
                queue.append(target)
            }
        }
        return nil
    }
}

extension Story.Segment {
    /// Where it may go on.
    fileprivate var exits: [String] {
        choices.map(\.target) + [defaultTarget, next].compactMap { $0 }
    }
}
