/// Assigns the boxes of a graph to layers so that edges lead forward. In each cycle, one edge leads back.
struct LayerAssignment {
    /// The layer of each box.
    let layers: [Int]
    /// For each edge, whether it leads back.
    let goesBack: [Bool]

    /// - Parameter edges: pairs of boxes, without those from a box to itself.
    /// - Complexity: O(n) in boxes and edges; no recursion.
    init(boxes: Int, edges: [(from: Int, to: Int)], start: Int?) {
        var leaving = [[Int]](repeating: [], count: boxes)
        for (index, edge) in edges.enumerated() {
            leaving[edge.from].append(index)
        }
        goesBack = Self.backEdges(boxes, edges, leaving, start)
        layers = Self.longestPaths(boxes, edges, goesBack, start)
    }

    /// Finds the edges that lead to a box that depth-first search hasn't finished.
    private static func backEdges(
        _ boxes: Int, _ edges: [(from: Int, to: Int)], _ leaving: [[Int]], _ start: Int?
    ) -> [Bool] {
        enum Mark {
            case new, open, done
        }
        var marks = [Mark](repeating: .new, count: boxes)
        var goesBack = [Bool](repeating: false, count: edges.count)
        var stack: [(box: Int, next: Int)] = []
        for root in [start].compactMap({ $0 }) + Array(0..<boxes) where marks[root] == .new {
            marks[root] = .open
            stack.append((root, 0))
            while let top = stack.last {
                guard top.next < leaving[top.box].count else {
                    marks[top.box] = .done
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                let edge = leaving[top.box][top.next]
                let target = edges[edge].to
                if marks[target] == .open {
                    goesBack[edge] = true
                } else if marks[target] == .new {
                    marks[target] = .open
                    stack.append((target, 0))
                }
            }
        }
        return goesBack
    }

    /// Puts each box one layer after the last box that leads to it. Boxes that can't be reached from the start
    /// are placed right before the boxes that they lead to.
    private static func longestPaths(
        _ boxes: Int, _ edges: [(from: Int, to: Int)], _ goesBack: [Bool], _ start: Int?
    ) -> [Int] {
        // A back edge counts in the other direction, so its ends are in different layers.
        var following = [[Int]](repeating: [], count: boxes)
        var waiting = [Int](repeating: 0, count: boxes)
        for (index, edge) in edges.enumerated() {
            let (from, to) = goesBack[index] ? (edge.to, edge.from) : (edge.from, edge.to)
            following[from].append(to)
            waiting[to] += 1
        }
        var layers = [Int](repeating: 0, count: boxes)
        var isReached = [Bool](repeating: false, count: boxes)
        if let start {
            isReached[start] = true
        }
        var order: [Int] = []
        var ready = (0..<boxes).filter { waiting[$0] == 0 }
        while let box = ready.popLast() {
            order.append(box)
            for next in following[box] {
                layers[next] = max(layers[next], layers[box] + 1)
                isReached[next] = isReached[next] || isReached[box]
                waiting[next] -= 1
                if waiting[next] == 0 {
                    ready.append(next)
                }
            }
        }
        for box in order.reversed() where !isReached[box] {
            layers[box] = following[box].map { layers[$0] - 1 }.min() ?? layers[box]
        }
        return layers
    }
}
