import Documents

extension StoryManifest {
    /// Checks that every name in the manifest exists and that events are in order of time, so that the runtime
    /// can rely on it.
    ///
    /// - Throws: ``StoryError`` with the path of every problem.
    /// - Complexity: O(n) in segments, events and choices.
    public func check() throws(StoryError) {
        var problems: [DocumentProblem] = []
        func require(_ name: String?, at path: DocumentPath) {
            guard let name, segments[name] == nil else {
                return
            }
            problems.append(
                DocumentProblem(path: path, message: "there is no segment \"\(name)\""))
        }
        require(start, at: DocumentPath([.key("start")]))
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) where !value.isFinite {
            let path = DocumentPath([.key("variables"), .key(name)])
            problems.append(DocumentProblem(path: path, message: "\(value) isn't a finite number"))
        }
        for (name, segment) in segments.sorted(by: { $0.key < $1.key }) {
            let path = DocumentPath.segment(name)
            require(segment.defaultTarget, at: path.key("default"))
            require(segment.next, at: path.key("then"))
            problems += dissolveProblems(segment, at: path.key("dissolve"))
            problems += eventProblems(segment.events, at: path.key("events"))
            for (index, choice) in segment.choices.enumerated() {
                let path = path.key("choices").index(index)
                require(choice.target, at: path.key("goto"))
                problems += formulaProblems(choice, at: path)
            }
        }
        guard problems.isEmpty else {
            throw StoryError(problems)
        }
    }

    private func dissolveProblems(_ segment: Segment, at path: DocumentPath) -> [DocumentProblem] {
        guard let dissolve = segment.dissolve else {
            return []
        }
        var problems = dissolve.from.keys.sorted().filter { segments[$0] == nil }.map { name in
            DocumentProblem(
                path: path.key("from").key(name), message: "there is no segment \"\(name)\"")
        }
        if !(0..<segment.frames).contains(dissolve.frames) {
            problems.append(
                DocumentProblem(
                    path: path.key("frames"), message: "the segment has \(segment.frames) frames"))
        }
        return problems
    }

    private func eventProblems(_ events: [Event], at path: DocumentPath) -> [DocumentProblem] {
        var latest = -Double.infinity
        var problems: [DocumentProblem] = []
        for (index, event) in events.enumerated() {
            if !event.at.isFinite || event.at < latest {
                problems.append(
                    DocumentProblem(
                        path: path.index(index), message: "events must be in order of time"))
            }
            latest = max(latest, event.at)
        }
        return problems
    }

    private func formulaProblems(_ choice: Choice, at path: DocumentPath) -> [DocumentProblem] {
        var problems: [DocumentProblem] = []
        func require(_ names: [String], at path: DocumentPath) {
            for name in names where variables[name] == nil {
                problems.append(
                    DocumentProblem(path: path, message: "there is no variable \"\(name)\""))
            }
        }
        require(choice.condition?.variables ?? [], at: path.key("when"))
        for assignment in choice.assignments {
            require(
                [assignment.variable] + assignment.formula.variables,
                at: path.key("set").key(assignment.variable))
        }
        return problems
    }
}
