import Stories
import TimeWarp

extension Story {
    /// The order of the segments in the media: first those on the path to winning, in the order of playing,
    /// then the others in the order of the file.
    ///
    /// The path is the shortest one from the start to a `winning` segment and on to an epilogue; if there is no
    /// winning segment, the shortest to an epilogue. O(segments and choices).
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

    /// The shortest path to a goal, including both ends; nil if there is none.
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
    /// The names of the segments that may follow.
    fileprivate var exits: [String] {
        choices.map(\.target) + [defaultTarget, next].compactMap { $0 }
    }
}
