/// Orders the places within each layer so that few edges cross, and computes their heights.
///
/// In forward and backward sweeps over the layers, each place moves to the mean position of its neighbours. The
/// order with the fewest crossings is kept (Sugiyama, Tagawa and Toda 1981).
struct LayerOrder {
    /// For each layer, its places from top to bottom.
    private(set) var layers: [[Int]]
    private let before: [[Int]]
    private let after: [[Int]]

    private static let sweeps = 12

    /// - Parameters:
    ///   - layerOf: the layer of each place.
    ///   - links: pairs of places in adjacent layers, the place in the earlier layer first.
    init(layerOf: [Int], links: [(Int, Int)]) {
        var layers = [[Int]](repeating: [], count: (layerOf.max() ?? -1) + 1)
        for (place, layer) in layerOf.enumerated() {
            layers[layer].append(place)
        }
        var before = [[Int]](repeating: [], count: layerOf.count)
        var after = before
        for (first, second) in links {
            after[first].append(second)
            before[second].append(first)
        }
        self.layers = layers
        self.before = before
        self.after = after
        improve()
    }

    private mutating func improve() {
        var rank = ranks()
        var best = layers
        var fewest = crossings(rank)
        for sweep in 0..<Self.sweeps where fewest > 0 {
            let isForward = sweep % 2 == 0
            let neighbours = isForward ? before : after
            let order = isForward ? Array(layers.indices) : layers.indices.reversed()
            for layer in order {
                sort(layer, by: neighbours, &rank)
            }
            let count = crossings(rank)
            if count < fewest {
                (best, fewest) = (layers, count)
            }
        }
        layers = best
    }

    private func ranks() -> [Double] {
        var rank = [Double](repeating: 0, count: before.count)
        for layer in layers {
            for (index, place) in layer.enumerated() {
                rank[place] = Double(index)
            }
        }
        return rank
    }

    private mutating func sort(_ layer: Int, by neighbours: [[Int]], _ rank: inout [Double]) {
        let wanted = layers[layer].enumerated().map { index, place -> (Double, Int, Int) in
            let near = neighbours[place]
            let mean = near.reduce(0) { $0 + rank[$1] } / Double(max(near.count, 1))
            return (near.isEmpty ? Double(index) : mean, index, place)
        }
        layers[layer] = wanted.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        for (index, place) in layers[layer].enumerated() {
            rank[place] = Double(index)
        }
    }

    /// The number of pairs of links that cross. These are inversions, counted with a Fenwick tree.
    private func crossings(_ rank: [Double]) -> Int {
        var total = 0
        for (index, layer) in layers.enumerated().dropLast() {
            let width = layers[index + 1].count
            var tree = [Int](repeating: 0, count: width + 1)
            var seen = 0
            for place in layer {
                let targets = after[place].map { Int(rank[$0]) }
                for target in targets {
                    var cell = target + 1
                    var notBelow = 0
                    while cell > 0 {
                        notBelow += tree[cell]
                        cell &= cell - 1
                    }
                    total += seen - notBelow
                }
                for target in targets {
                    var cell = target + 1
                    while cell <= width {
                        tree[cell] += 1
                        cell += cell & -cell
                    }
                    seen += 1
                }
            }
        }
        return total
    }

    /// The heights of the middles of all places: near those of their neighbours, and at least as far apart as
    /// their sizes need.
    ///
    /// - Parameters:
    ///   - size: for each place, its height including the distance to others.
    ///   - weight: for each place, how strongly it is drawn to its neighbours.
    func heights(size: [Double], weight: [Double]) -> [Double] {
        var height = [Double](repeating: 0, count: before.count)
        for layer in layers {
            let total = layer.reduce(0) { $0 + size[$1] }
            var top = -total / 2
            for place in layer {
                height[place] = top + size[place] / 2
                top += size[place]
            }
        }
        for sweep in 0..<Self.sweeps {
            let order = sweep % 2 == 0 ? Array(layers.indices) : layers.indices.reversed()
            for layer in order {
                settle(layers[layer], &height, size, weight)
            }
        }
        return height
    }

    /// Finds the heights nearest to the wanted ones that keep the distances, by pool-adjacent-violators.
    private func settle(
        _ layer: [Int], _ height: inout [Double], _ size: [Double], _ weight: [Double]
    ) {
        struct Pool {
            var sum: Double
            var weight: Double
            var count: Int
            var mean: Double { sum / weight }
        }
        var pools: [Pool] = []
        var offsets: [Double] = []
        var offset = 0.0
        for (index, place) in layer.enumerated() {
            if index > 0 {
                offset += (size[layer[index - 1]] + size[place]) / 2
            }
            offsets.append(offset)
            let near = before[place] + after[place]
            let wanted =
                near.isEmpty
                ? height[place] : near.reduce(0) { $0 + height[$1] } / Double(near.count)
            pools.append(
                Pool(sum: (wanted - offset) * weight[place], weight: weight[place], count: 1))
            while pools.count > 1, pools[pools.count - 2].mean > pools[pools.count - 1].mean {
                let last = pools.removeLast()
                pools[pools.count - 1].sum += last.sum
                pools[pools.count - 1].weight += last.weight
                pools[pools.count - 1].count += last.count
            }
        }
        var index = 0
        for pool in pools {
            for _ in 0..<pool.count {
                height[layer[index]] = pool.mean + offsets[index]
                index += 1
            }
        }
    }
}
