extension StoryFinding {
    /// The kind of finding as a short name for programs, such as `target-missing`. It doesn't change between
    /// versions.
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
        case .partNeverSeen: "part-never-seen"
        case .eventWithoutChoices: "event-without-choices"
        case .keyTaken: "key-taken"
        case .ineffective: "ineffective"
        case .mediaMissing: "media-missing"
        case .mediaDamaged: "media-damaged"
        case .rangeMissing: "range-missing"
        case .timeMapInvalid: "time-map-invalid"
        case .dissolveTooLong: "dissolve-too-long"
        case .captionsUnusable: "captions-unusable"
        case .languageWithoutStrings: "language-without-strings"
        case .stringsUnusable: "strings-unusable"
        case .stringsMissing: "strings-missing"
        case .visitsAreSent: "visits-are-sent"
        case .visitsUnencrypted: "visits-unencrypted"
        }
    }

    /// The severity, which follows from the kind.
    public var severity: Severity {
        switch kind {
        case .unreachable, .neverEntered, .sameTarget, .conditionNeverHolds, .choicesMayRunOut,
            .variableNeverRead, .eventOutOfOrder, .eventNeverReached, .partNeverSeen,
            .eventWithoutChoices,
            .ineffective, .languageWithoutStrings, .stringsMissing, .visitsUnencrypted:
            .warning
        case .targetMissing, .deadEnd, .noEpilogue, .noWayToEpilogue, .endlessLoop,
            .decisionWithoutDefault, .choicesNeverShown, .undefinedVariable, .eventOutside,
            .keyTaken, .mediaMissing, .mediaDamaged, .rangeMissing, .timeMapInvalid,
            .dissolveTooLong, .captionsUnusable, .stringsUnusable:
            .error
        case .visitsAreSent:
            .note
        }
    }

    /// What is wrong, as one English sentence.
    public var sentence: String {
        switch kind {
        case .targetMissing(let name, _): "There is no segment \"\(name)\"."
        case .unreachable: "This segment can't be reached from the start."
        case .neverEntered: "The choices that lead to this segment are never available."
        case .deadEnd: "The story ends here, but this segment isn't an epilogue."
        case .noEpilogue: "No segment of the story is an epilogue."
        case .noWayToEpilogue: "No path leads from here to an epilogue."
        case .endlessLoop(let names): Self.loop(names)
        case .decisionWithoutDefault:
            "This \"decide\" event has no effect, because the segment has no default."
        case .sameTarget(let name, let first, let second):
            "Choices \(first + 1) and \(second + 1) both lead to \"\(name)\"."
        case .conditionNeverHolds(let label):
            "The choice \"\(label)\" is never offered: its condition never holds here."
        case .choicesMayRunOut:
            "With some values of the variables no choice is offered here, and the story ends."
        case .choicesNeverShown: "The choices are never shown before the decision."
        case .undefinedVariable(let name, _): "There is no variable \"\(name)\"."
        case .variableNeverRead(let name): "No condition depends on the variable \"\(name)\"."
        case .eventOutside(let from, let to?):
            "The event lies outside of the segment, which is \(from) s to \(to) s of its media."
        case .eventOutside(let from, nil):
            "The event lies outside of the segment, which begins at \(from) s of its media."
        case .eventOutOfOrder: "This event happens before the one listed before it."
        case .eventNeverReached: "The segment's time map skips the time of this event."
        case .partNeverSeen(let seconds):
            "The story goes on here, so the \((seconds * 100).rounded() / 100) s after it are never seen."
        case .eventWithoutChoices(let cue): "There are no choices for \(cue) to act on."
        case .keyTaken(let key): "The key \"\(key)\" already belongs to another choice here."
        case .ineffective(let key, let reason): "\"\(key)\" has no effect: \(reason)."
        case .mediaMissing(let file): "There is no file \"\(file)\"."
        case .mediaDamaged(let file, let reason): "\"\(file)\" can't be used: \(reason)."
        case .rangeMissing(let file, let lasts):
            "\"\(file)\" lasts \(lasts) s, so it doesn't contain the whole range."
        case .timeMapInvalid(let reason): "The clip can't be retimed like this: \(reason)."
        case .dissolveTooLong(let lasts):
            "The segment lasts \((lasts * 100).rounded() / 100) s, and the dissolve no less."
        case .captionsUnusable(let file, let reason):
            "The captions \"\(file)\" can't be used: \(reason)."
        case .languageWithoutStrings(let language):
            "The player has no texts in \"\(language)\", so it shows its own in English."
        case .stringsUnusable(let file, let reason):
            "The strings \"\(file)\" can't be used: \(reason)" + (reason.hasSuffix("?") ? "" : ".")
        case .stringsMissing(let file, let names, let language):
            "\"\(file)\" lacks \(Self.list(names)); the player has no texts in \"\(language)\", so it shows "
                + "these in English."
        case .visitsAreSent(let address):
            "The page sends what viewers choose, and when, to \(address)."
        case .visitsUnencrypted(let address):
            "Networks can read what is sent to \(address), and pages with https can't send it there."
        }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
        return shown + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }

    private static func loop(_ names: [String]) -> String {
        guard names.count > 1 else {
            return "This segment repeats forever without offering a choice."
        }
        return "The segments \(list(names)) repeat forever without offering a choice."
    }

    /// What the author can do about it, in English.
    public var remedy: String {
        switch kind {
        case .targetMissing(_, let nearest?): "Did you mean \"\(nearest)\"?"
        case .targetMissing: "Name an existing segment, or add this one."
        case .unreachable: "Make a choice, a \"default\" or a \"then\" lead to it, or remove it."
        case .neverEntered: "Check the conditions of the choices that lead to it, or remove it."
        case .deadEnd: "Give it \"then\" or choices, or the role \"epilogue\"."
        case .noEpilogue: "Give the role \"epilogue\" to the segments that end the story."
        case .noWayToEpilogue: "Make one of the paths from here lead to an epilogue."
        case .endlessLoop: "Offer a choice in one of them, or make one lead out of the loop."
        case .decisionWithoutDefault: "Add \"default\" or \"loop\": true, or remove the event."
        case .sameTarget: "If this is intended, make the two choices set different values."
        case .conditionNeverHolds: "Check the assignments to its variables, or remove the choice."
        case .choicesMayRunOut: "Add a default, or a choice without \"when\"."
        case .choicesNeverShown: "Add a \"showControls\" event some time before the decision."
        case .undefinedVariable(_, let nearest?): "Did you mean \"\(nearest)\"?"
        case .undefinedVariable: "Add it to \"variables\" with its first value."
        case .variableNeverRead: "Use it in a \"when\", or remove it."
        case .eventOutside: "Event times are in the media file's own time; move it inside."
        case .eventOutOfOrder: "List events in the order in which they are played."
        case .eventNeverReached: "Move it to a time that is played."
        case .partNeverSeen: "End the segment's range there, or decide later."
        case .eventWithoutChoices: "Add choices, or remove the event."
        case .keyTaken: "Give each choice a key of its own."
        case .ineffective: "Remove it."
        case .mediaMissing: "Paths are relative to the story file's folder."
        case .mediaDamaged: "Export or copy the file again."
        case .rangeMissing: "Choose a range within the file."
        case .timeMapInvalid: "Change the segment's range, or its curve or time map."
        case .dissolveTooLong: "Make the dissolve shorter, or the segment longer."
        case .captionsUnusable: "Name a WebVTT file that can be read."
        case .languageWithoutStrings: "Name a file with translations of its texts as \"strings\"."
        case .stringsUnusable: "A strings file is a JSON object of names and texts."
        case .stringsMissing: "Add them."
        case .visitsAreSent: "Tell your viewers, or remove \"analytics\"."
        case .visitsUnencrypted: "Use an address with https."
        }
    }
}
