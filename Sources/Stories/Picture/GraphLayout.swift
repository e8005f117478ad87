/// The layout of a story's graph: boxes and edges in layers from left to right.
struct GraphLayout {
    struct Box {
        let name: String
        var x = 0.0
        var y = 0.0
        var height = GraphLayout.boxHeight
        var middle: Double { y + height / 2 }
    }

    /// A section of an edge between two columns: a curve that is horizontal at both ends.
    struct Bend {
        let fromX: Double
        let fromY: Double
        let toX: Double
        let toY: Double
    }

    static let boxWidth = 168.0
    static let boxHeight = 46.0
    /// The distance between columns, wide enough for a label.
    static let gap = 196.0
    private static let distance = 26.0
    private static let portDistance = 18.0
    private static let loopHeight = 26.0
    /// If there are more bends than this, long edges are drawn as single curves.
    private static let mostBends = 20_000

    /// The segments in the order of the graph, then targets that don't exist.
    private(set) var boxes: [Box]
    /// For each edge of the graph, its sections from start to end; empty for edges from a box to itself.
    private(set) var bends: [[Bend]]
    /// For each edge from a box to itself, how many such edges of the same box come before it; nil for other
    /// edges.
    private(set) var loops: [Int?]
    private(set) var width = 0.0
    private(set) var height = 0.0
    /// The room for a picture at the top of each box.
    let pictureHeight: Double
    private let number: [String: Int]

    /// - Complexity: O(n log n) in boxes and bends.
    init(_ graph: StoryGraph, pictureHeight: Double = 0) {
        self.pictureHeight = pictureHeight
        var number: [String: Int] = [:]
        var boxes: [Box] = []
        for name in graph.segments + graph.edges.map(\.to) where number[name] == nil {
            number[name] = boxes.count
            boxes.append(Box(name: name))
        }
        let ends = graph.edges.map { (from: number[$0.from] ?? 0, to: number[$0.to] ?? 0) }
        self.boxes = boxes
        self.number = number
        bends = [[Bend]](repeating: [], count: ends.count)
        loops = [Int?](repeating: nil, count: ends.count)
        var loopCount = [Int](repeating: 0, count: boxes.count)
        for (index, edge) in ends.enumerated() where edge.from == edge.to {
            loops[index] = loopCount[edge.from]
            loopCount[edge.from] += 1
        }
        place(ends, loopCount, start: number[graph.start])
    }

    /// The box of a segment, or of a target that doesn't exist.
    func box(named name: String) -> Box? {
        number[name].map { boxes[$0] }
    }

    private mutating func place(
        _ ends: [(from: Int, to: Int)], _ loopCount: [Int], start: Int?
    ) {
        let drawn = ends.indices.filter { loops[$0] == nil }
        let layering = LayerAssignment(
            boxes: boxes.count, edges: drawn.map { ends[$0] }, start: start)
        var chains = Chains(layers: layering.layers)
        for (index, edge) in drawn.enumerated() {
            let goesBack = layering.goesBack[index]
            let (first, last) =
                goesBack ? (ends[edge].to, ends[edge].from) : (ends[edge].from, ends[edge].to)
            chains.add(
                Chains.Chain(edge: edge, goesBack: goesBack, places: [first, last]),
                bending: chains.layerOf.count < Self.mostBends)
        }
        let order = LayerOrder(layerOf: chains.layerOf, links: chains.links)
        size(chains)
        let isBox = chains.layerOf.indices.map { $0 < boxes.count }
        let heights = order.heights(
            size: isBox.enumerated().map { place, isBox in
                isBox
                    ? boxes[place].height + Self.distance
                        + Double(loopCount[place]) * Self.loopHeight : Self.portDistance
            }, weight: isBox.map { $0 ? 1 : 4 })
        let room = (loopCount.max() ?? 0) > 0 ? Self.loopHeight * 2 : 0
        let top = (heights.indices.map { heights[$0] - extent($0) }.min() ?? 0) - room
        for index in boxes.indices {
            boxes[index].x = Double(chains.layerOf[index]) * (Self.boxWidth + Self.gap)
            boxes[index].y = heights[index] - top - boxes[index].height / 2
        }
        width = (boxes.map(\.x).max() ?? 0) + Self.boxWidth
        height = (heights.indices.map { heights[$0] - top + extent($0) }.max() ?? 0)
        bend(chains, heights.map { $0 - top })
    }

    private func extent(_ place: Int) -> Double {
        place < boxes.count ? boxes[place].height / 2 : 0
    }

    /// Makes boxes with many edges taller.
    private mutating func size(_ chains: Chains) {
        var left = [Int](repeating: 0, count: boxes.count)
        var right = left
        for chain in chains.all {
            right[chain.places[0]] += 1
            left[chain.places[chain.places.count - 1]] += 1
        }
        for index in boxes.indices {
            let ports = max(left[index], right[index])
            boxes[index].height = max(
                pictureHeight + Self.boxHeight, Double(ports + 1) * Self.portDistance)
        }
    }

    private mutating func bend(_ chains: Chains, _ heights: [Double]) {
        let ports = Ports(chains, heights, boxes)
        for (index, chain) in chains.all.enumerated() {
            var stretches: [Bend] = []
            for step in 1..<chain.places.count {
                let (a, b) = (chain.places[step - 1], chain.places[step])
                let isFirst = step == 1
                let isLast = step == chain.places.count - 1
                stretches.append(
                    Bend(
                        fromX: x(of: a, chains) + Self.boxWidth,
                        fromY: isFirst ? ports.right[index] : heights[a],
                        toX: x(of: b, chains), toY: isLast ? ports.left[index] : heights[b]))
            }
            bends[chain.edge] = chain.goesBack ? stretches.reversed().map(\.turned) : stretches
        }
    }

    private func x(of place: Int, _ chains: Chains) -> Double {
        Double(chains.layerOf[place]) * (Self.boxWidth + Self.gap)
    }
}

extension GraphLayout.Bend {
    fileprivate var turned: GraphLayout.Bend {
        GraphLayout.Bend(fromX: toX, fromY: toY, toX: fromX, toY: fromY)
    }
}

/// Edges as chains of places, with one place in each layer that the edge passes.
private struct Chains {
    struct Chain {
        let edge: Int
        let goesBack: Bool
        /// From left to right.
        var places: [Int]
    }
    /// The layer of each place: first the boxes, then the places where long edges pass.
    private(set) var layerOf: [Int]
    private(set) var links: [(Int, Int)] = []
    private(set) var all: [Chain] = []

    init(layers: [Int]) {
        layerOf = layers
    }

    mutating func add(_ chain: Chain, bending: Bool) {
        var chain = chain
        let (first, last) = (chain.places[0], chain.places[1])
        if bending, layerOf[last] > layerOf[first] + 1 {
            let passed = (layerOf[first] + 1)..<layerOf[last]
            let places = passed.map { layer in
                layerOf.append(layer)
                return layerOf.count - 1
            }
            chain.places = [first] + places + [last]
        }
        for (a, b) in zip(chain.places, chain.places.dropFirst())
        where layerOf[b] == layerOf[a] + 1 {
            links.append((a, b))
        }
        all.append(chain)
    }
}

/// The heights at which edges meet the sides of their boxes, so that none cross on the way in.
private struct Ports {
    /// For each chain, where it leaves its left box and where it enters its right box.
    private(set) var right: [Double]
    private(set) var left: [Double]

    init(_ chains: Chains, _ heights: [Double], _ boxes: [GraphLayout.Box]) {
        right = [Double](repeating: 0, count: chains.all.count)
        left = right
        var leaving = [[(toward: Double, chain: Int)]](repeating: [], count: boxes.count)
        var entering = leaving
        for (index, chain) in chains.all.enumerated() {
            let places = chain.places
            leaving[places[0]].append((heights[places[1]], index))
            entering[places[places.count - 1]].append((heights[places[places.count - 2]], index))
        }
        for (index, box) in boxes.enumerated() {
            Self.spread(leaving[index], box, &right)
            Self.spread(entering[index], box, &left)
        }
    }

    private static func spread(
        _ ends: [(toward: Double, chain: Int)], _ box: GraphLayout.Box, _ heights: inout [Double]
    ) {
        let sorted = ends.sorted { ($0.toward, $0.chain) < ($1.toward, $1.chain) }
        for (index, end) in sorted.enumerated() {
            let share = Double(index + 1) / Double(sorted.count + 1)
            heights[end.chain] = box.y + box.height * share
        }
    }
}
