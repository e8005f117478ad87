/// Which variables influence a condition.
struct VariableUse {
    /// The variables that a condition depends on, directly or through assignments.
    let deciding: Set<String>

    /// - Complexity: O(n) in the formulas.
    init(
        _ choices: some Sequence<
            (condition: StoryFormula?, assignments: [(variable: String, formula: StoryFormula)])
        >
    ) {
        var sources: [String: Set<String>] = [:]
        var open: [String] = []
        var found: Set<String> = []
        func mark(_ names: some Sequence<String>) {
            for name in names where found.insert(name).inserted {
                open.append(name)
            }
        }
        for choice in choices {
            mark(choice.condition?.variables ?? [])
            for assignment in choice.assignments {
                sources[assignment.variable, default: []].formUnion(assignment.formula.variables)
            }
        }
        while let name = open.popLast() {
            mark(sources[name] ?? [])
        }
        deciding = found
    }

    init(_ story: Story) {
        self.init(
            story.segments.values.lazy.flatMap(\.choices).map { choice in
                (
                    choice.condition?.formula,
                    choice.assignments.map { ($0.key, $0.value.formula) }
                )
            })
    }

    init(_ manifest: StoryManifest) {
        self.init(
            manifest.segments.values.lazy.flatMap(\.choices).map { choice in
                (choice.condition, choice.assignments.map { ($0.variable, $0.formula) })
            })
    }
}
