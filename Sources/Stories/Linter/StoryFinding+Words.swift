extension StoryFinding {
    /// A short name for the kind, for programs.
    public var code: String {
        switch kind {
        case .targetMissing: "target-missing"
        case .unreachable: "unreachable"
        case .neverEntered: "never-entered"
        case .deadEnd: "dead-end"
        case .noEpilogue: "no-epilogue"
        case .noWayToEpilogue: "no-way-to-epilogue"
        case .endlessLoop: "endless-loop"
        case .decisionWithoutDefault: "decision-without-default"
        case .sameTarget: "same-target"
        case .conditionNeverHolds: "condition-never-holds"
        case .choicesMayRunOut: "choices-may-run-out"
        case .choicesNeverShown: "choices-never-shown"
        case .undefinedVariable: "undefined-variable"
        case .variableNeverRead: "variable-never-read"
        case .eventOutside: "event-outside"
        case .eventOutOfOrder: "event-out-of-order"
        case .eventNeverReached: "event-never-reached"
        case .eventWithoutChoices: "event-without-choices"
        case .keyTaken: "key-taken"
        case .ineffective: "ineffective"
        case .mediaMissing: "media-missing"
        case .mediaDamaged: "media-damaged"
        case .rangeMissing: "range-missing"
        case .timeMapInvalid: "time-map-invalid"
        case .captionsUnusable: "captions-unusable"
        }
    }

    /// How bad it is.
    public var severity: Severity {
        switch kind {
        case .unreachable, .neverEntered, .sameTarget, .conditionNeverHolds, .choicesMayRunOut,
            .variableNeverRead, .eventOutOfOrder, .eventNeverReached, .eventWithoutChoices,
            .ineffective:
            .warning
        case .targetMissing, .deadEnd, .noEpilogue, .noWayToEpilogue, .endlessLoop,
            .decisionWithoutDefault, .choicesNeverShown, .undefinedVariable, .eventOutside,
            .keyTaken, .mediaMissing, .mediaDamaged, .rangeMissing, .timeMapInvalid,
            .captionsUnusable:
            .error
        }
    }

    /// What is wrong.
    public var sentence: String {
        switch kind {
        case .targetMissing(let name, _): "There is no segment \"\(name)\"."
        case .unreachable: "No way leads from the start to this segment."
        case .neverEntered: "The ways to this segment are never open."
        case .deadEnd: "The story ends here, and this is no epilogue."
        case .noEpilogue: "No segment of the story is an epilogue."
        case .noWayToEpilogue: "From here no way leads to an epilogue."
        case .endlessLoop(let names): Self.loop(names)
        case .decisionWithoutDefault: "At this decision nothing is decided: there is no default."
        case .sameTarget(let name, let first, let second):
            "Choices \(first + 1) and \(second + 1) both lead to \"\(name)\"."
        case .conditionNeverHolds(let label):
            "The choice \"\(label)\" is never offered: its condition never holds here."
        case .choicesMayRunOut:
            "With some values no choice is offered here, and the story ends."
        case .choicesNeverShown: "The choices are never shown before it is decided what follows."
        case .undefinedVariable(let name, _): "There is no variable \"\(name)\"."
        case .variableNeverRead(let name): "No condition depends on the variable \"\(name)\"."
        case .eventOutside(let from, let to?):
            "The event lies outside of the segment, which is \(from) s to \(to) s of its media."
        case .eventOutside(let from, nil):
            "The event lies outside of the segment, which begins at \(from) s of its media."
        case .eventOutOfOrder: "This event happens before the one listed before it."
        case .eventNeverReached: "The segment's time map leaves the instant of this event out."
        case .eventWithoutChoices(let cue): "There are no choices for \(cue) to act on."
        case .keyTaken(let key): "The key \"\(key)\" already takes another choice here."
        case .ineffective(let key, let reason): "\"\(key)\" has no effect: \(reason)."
        case .mediaMissing(let file): "There is no file \"\(file)\"."
        case .mediaDamaged(let file, let reason): "\"\(file)\" can't be used: \(reason)."
        case .rangeMissing(let file, let lasts):
            "\"\(file)\" lasts \(lasts) s, and the range isn't in it."
        case .timeMapInvalid(let reason): "The clip can't be retimed like this: \(reason)."
        case .captionsUnusable(let file, let reason):
            "The captions \"\(file)\" can't be used: \(reason)."
        }
    }

    private static func loop(_ names: [String]) -> String {
        guard names.count > 1 else {
            return "This segment follows itself forever, and nothing is asked."
        }
        let shown = names.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        return "The segments \(shown)\(more) follow each other forever, and nothing is asked."
    }

    /// What to do about it.
    public var remedy: String {
        switch kind {
        case .targetMissing(_, let nearest?): "Did you mean \"\(nearest)\"?"
        case .targetMissing: "Name one that exists, or add it."
        case .unreachable: "Lead a choice, a default or \"then\" to it, or remove it."
        case .neverEntered: "Look at the conditions of the choices that lead to it, or remove it."
        case .deadEnd: "Give it \"then\" or choices, or the role \"epilogue\"."
        case .noEpilogue: "Give the role \"epilogue\" to the segments that end the story."
        case .noWayToEpilogue: "Let one of the ways from here lead on to an end."
        case .endlessLoop: "Let one of them ask, or lead out."
        case .decisionWithoutDefault: "Add \"default\" or \"loop\": true, or remove the event."
        case .sameTarget: "If that is meant, let what they set differ."
        case .conditionNeverHolds: "Look at what sets its variables, or remove the choice."
        case .choicesMayRunOut: "Add a default, or a choice without \"when\"."
        case .choicesNeverShown: "Add an event showControls some time before the decision."
        case .undefinedVariable(_, let nearest?): "Did you mean \"\(nearest)\"?"
        case .undefinedVariable: "Add it to \"variables\" with its first value."
        case .variableNeverRead: "Use it in a \"when\", or remove it."
        case .eventOutside: "Event times are in the media file's own time; move it inside."
        case .eventOutOfOrder: "List events in the order in which they are played."
        case .eventNeverReached: "Move it to an instant that is shown."
        case .eventWithoutChoices: "Add choices, or remove the event."
        case .keyTaken: "Give each choice a key of its own."
        case .ineffective: "Remove it."
        case .mediaMissing: "Paths count from the story file's folder."
        case .mediaDamaged: "Make or copy the file anew."
        case .rangeMissing: "Choose a range inside it."
        case .timeMapInvalid: "Change the segment's range, or its curve or time map."
        case .captionsUnusable: "Name a WebVTT file that can be read."
        }
    }
}
