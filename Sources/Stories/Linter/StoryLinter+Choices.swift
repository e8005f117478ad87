import Documents

extension StoryLinter {
    /// Finds names of segments that don't exist, and keys that have no effect.
    func targetFindings(_ place: SegmentPlace) -> [StoryFinding] {
        let segment = place.segment
        var findings: [StoryFinding] = []
        func require(_ name: String?, at path: DocumentPath) {
            if let name, story.segments[name] == nil {
                findings.append(missing(name, at: path))
            }
        }
        func ignore(_ key: String, _ reason: String) {
            findings.append(
                StoryFinding(.ineffective(key, because: reason), at: place.path.key(key)))
        }
        for (index, choice) in segment.choices.enumerated() {
            require(choice.target, at: place.path.key("choices").index(index).key("goto"))
        }
        require(segment.defaultTarget, at: place.path.key("default"))
        require(segment.next, at: place.path.key("then"))
        if segment.choices.isEmpty {
            let reason = "the segment has no choices, so only \"then\" counts"
            if segment.defaultTarget != nil {
                ignore("default", reason)
            }
            if segment.loops {
                ignore("loop", reason)
            }
        } else {
            if segment.loops, segment.defaultTarget != nil {
                ignore("default", "the segment loops until a choice is made")
            }
            if segment.next != nil {
                ignore("then", "the segment has choices, so only they and \"default\" count")
            }
        }
        return findings
    }

    /// What becomes of a choice.
    private struct Outcome: Hashable {
        let target: String
        let values: [String: String]

        init(of choice: Story.Choice) {
            target = choice.target
            values = choice.assignments.reduce(into: [:]) { $0[$1.key] = $1.value.text }
        }
    }

    /// Finds choices that conflict with each other or are never shown.
    func choiceFindings(_ place: SegmentPlace) -> [StoryFinding] {
        let path = place.path.key("choices")
        var findings: [StoryFinding] = []
        var outcomes: [Outcome: Int] = [:]
        var keys: Set<String> = []
        for (index, choice) in place.segment.choices.enumerated() {
            let outcome = Outcome(of: choice)
            if let first = outcomes[outcome] {
                findings.append(
                    StoryFinding(
                        .sameTarget(choice.target, first: first, second: index),
                        at: path.index(index).key("goto")))
            } else {
                outcomes[outcome] = index
            }
            // Keys are typed without regard to case.
            if let key = choice.key, !keys.insert(key.lowercased()).inserted {
                findings.append(
                    StoryFinding(.keyTaken(key), at: path.index(index).key("key")))
            }
        }
        if !place.segment.choices.isEmpty, !place.isOffered {
            findings.append(StoryFinding(.choicesNeverShown, at: path))
        }
        return findings
    }

    /// Finds names in formulas that aren't variables of the story.
    func variableFindings(_ place: SegmentPlace) -> [StoryFinding] {
        var findings: [StoryFinding] = []
        func require(_ names: [String], at path: DocumentPath) {
            for name in names where story.variables[name] == nil {
                findings.append(StoryFinding(.undefinedVariable(name, nearest: nil), at: path))
            }
        }
        for (index, choice) in place.segment.choices.enumerated() {
            let path = place.path.key("choices").index(index)
            require(choice.condition?.formula.variables ?? [], at: path.key("when"))
            for (name, expression) in choice.assignments {
                let path = path.key("set").key(name)
                require([name], at: path)
                require(expression.formula.variables.filter { $0 != name }, at: path)
            }
        }
        return findings
    }

    /// Finds conditions that never hold for any values that can occur.
    func conditionFindings(
        _ place: SegmentPlace, _ graph: NumberedGraph, _ analysis: VariableAnalysis
    ) -> [StoryFinding] {
        guard analysis.isReached[place.index], place.isOffered else {
            return []
        }
        let path = place.path.key("choices")
        var findings: [StoryFinding] = []
        for (index, choice) in place.segment.choices.enumerated() {
            let edge = graph.leaving[place.index].lowerBound + index
            if choice.condition != nil, !analysis.isOpen[edge] {
                findings.append(
                    StoryFinding(
                        .conditionNeverHolds(choice.label), at: path.index(index).key("when")))
            }
        }
        if analysis.runsOut[place.index] {
            findings.append(StoryFinding(.choicesMayRunOut, at: path))
        }
        return findings
    }
}
