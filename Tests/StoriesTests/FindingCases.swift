import Testing

@testable import Stories

/// A finding, a story that has it at a given path, and a story that doesn't have it.
struct FindingCase: Sendable, CustomTestStringConvertible {
    let code: String
    let severity: StoryFinding.Severity
    let path: String
    let with: String
    let without: String
    var variables = "{}"

    var testDescription: String { code }
}

extension FindingCase {
    static let end = #""end": { "media": "m", "role": "epilogue" }"#

    /// A segment with a choice, and the given additions.
    private static func asking(_ more: String = "", events: String? = nil) -> String {
        let cues = events ?? #"{ "at": 1, "do": "showControls" }, { "at": 5, "do": "decide" }"#
        return """
            "a": { "media": "m", "events": [ \(cues) ], \(more)
              "choices": [ { "label": "L", "goto": "end" } ], "default": "end" }, \(end)
            """
    }

    /// A segment with two choices.
    private static func choosing(
        _ first: String, _ second: String, rest: String = #""default": "end""#
    ) -> String {
        """
        "a": { "media": "m", "events": [ { "at": 1, "do": "showControls" } ],
          "choices": [ { "label": "K", \(first) }, { "label": "L", \(second) } ], \(rest) },
        "b": { "media": "m", "then": "end" }, \(end)
        """
    }

    static let all: [FindingCase] = [
        FindingCase(
            code: "target-missing", severity: .error, path: "segments.a.then",
            with: #""a": { "media": "m", "then": "ent" }, \#(end)"#,
            without: #""a": { "media": "m", "then": "end" }, \#(end)"#),
        FindingCase(
            code: "target-missing", severity: .error, path: "segments.a.choices[1].goto",
            with: choosing(#""goto": "b""#, #""goto": "c""#),
            without: choosing(#""goto": "b""#, #""goto": "end""#)),
        FindingCase(
            code: "unreachable", severity: .warning, path: "segments.x",
            with:
                #""a": { "media": "m", "then": "end" }, "x": { "media": "m", "then": "end" }, \#(end)"#,
            without:
                #""a": { "media": "m", "then": "x" }, "x": { "media": "m", "then": "end" }, \#(end)"#
        ),
        FindingCase(
            code: "never-entered", severity: .warning, path: "segments.b",
            with: choosing(#""goto": "end""#, #""goto": "b", "when": "x > 1""#),
            without: choosing(#""goto": "end""#, #""goto": "b", "when": "x < 1""#),
            variables: #"{ "x": 0 }"#),
        FindingCase(
            code: "dead-end", severity: .error, path: "segments.x",
            with: choosing(#""goto": "x""#, #""goto": "b""#) + #", "x": { "media": "m" }"#,
            without: choosing(#""goto": "x""#, #""goto": "b""#)
                + #", "x": { "media": "m", "then": "end" }"#),
        FindingCase(
            code: "no-epilogue", severity: .error, path: "segments",
            with: #""a": { "media": "m" }"#, without: #""a": { "media": "m", "role": "epilogue" }"#),
        FindingCase(
            code: "no-way-to-epilogue", severity: .error, path: "segments.x",
            with: choosing(#""goto": "x""#, #""goto": "b""#) + """
                , "x": { "media": "m", "choices": [ { "label": "again", "goto": "x" } ] }
                """,
            without: choosing(#""goto": "x""#, #""goto": "b""#) + """
                , "x": { "media": "m", "choices": [ { "label": "again", "goto": "x" },
                                                    { "label": "on", "goto": "b" } ] }
                """),
        FindingCase(
            code: "endless-loop", severity: .error, path: "segments.x",
            with: choosing(#""goto": "x""#, #""goto": "b""#) + """
                , "x": { "media": "m", "then": "y" }, "y": { "media": "m", "then": "x" }
                """,
            without: choosing(#""goto": "x""#, #""goto": "b""#) + """
                , "x": { "media": "m", "then": "y" }, "y": { "media": "m", "then": "a" }
                """),
        FindingCase(
            code: "endless-loop", severity: .error, path: "segments.a",
            with: choosing(
                #""goto": "b", "when": "x""#, #""goto": "end", "when": "x""#, rest: #""loop": true"#
            ),
            without: choosing(
                #""goto": "b""#, #""goto": "end", "when": "x""#, rest: #""loop": true"#),
            variables: #"{ "x": 0 }"#),
        FindingCase(
            code: "decision-without-default", severity: .error, path: "segments.a.events[0].do",
            with: """
                "a": { "media": "m", "events": [ { "at": 5, "do": "decide" } ],
                  "choices": [ { "label": "L", "goto": "end" } ] }, \(end)
                """,
            without: """
                "a": { "media": "m", "events": [ { "at": 5, "do": "decide" } ], "loop": true,
                  "choices": [ { "label": "L", "goto": "end" } ] }, \(end)
                """),
        FindingCase(
            code: "part-never-seen", severity: .warning, path: "segments.a.events[1].do",
            with: asking(#""range": [0, 7],"#), without: asking(#""range": [0, 5],"#)),
        FindingCase(
            code: "dissolve-too-long", severity: .error, path: "segments.a.dissolve",
            with: #""a": { "media": "m", "range": [1, 3], "dissolve": 2, "then": "end" }, \#(end)"#,
            without:
                #""a": { "media": "m", "range": [1, 3], "dissolve": 1.5, "then": "end" }, \#(end)"#
        ),
        FindingCase(
            code: "same-target", severity: .warning, path: "segments.a.choices[1].goto",
            with: choosing(#""goto": "b""#, #""goto": "b""#),
            without: choosing(#""goto": "b""#, #""goto": "end""#)),
        FindingCase(
            code: "same-target", severity: .warning, path: "segments.a.choices[1].goto",
            with: choosing(
                #""goto": "b", "set": { "x": "x + 1" }"#, #""goto": "b", "set": { "x": "x + 1" }"#),
            without: choosing(
                #""goto": "b", "set": { "x": "x + 1" }"#, #""goto": "b", "set": { "x": "x - 1" }"#),
            variables: #"{ "x": 3 }"#),
        FindingCase(
            code: "same-target", severity: .warning, path: "segments.a.choices[1].goto",
            with: choosing(
                #""goto": "b", "when": "x > 1""#, #""goto": "b", "when": "x < 5""#),
            without: choosing(
                #""goto": "b", "set": { "x": 1 }, "when": "x > 1""#,
                #""goto": "b", "when": "x < 5""#),
            variables: #"{ "x": 3 }"#),
        FindingCase(
            code: "condition-never-holds", severity: .warning, path: "segments.a.choices[0].when",
            with: choosing(#""goto": "b", "when": "x > 3""#, #""goto": "b""#),
            without: choosing(#""goto": "b", "when": "x >= 3""#, #""goto": "b""#),
            variables: #"{ "x": 3 }"#),
        FindingCase(
            code: "choices-may-run-out", severity: .warning, path: "segments.a.choices",
            with: choosing(
                #""goto": "b", "when": "x > 3""#, #""goto": "end", "when": "x < 3""#,
                rest: #""then": null"#),
            without: choosing(
                #""goto": "b", "when": "x > 3""#, #""goto": "end", "when": "x <= 3""#,
                rest: #""then": null"#),
            variables: #"{ "x": 3 }"#),
        FindingCase(
            code: "choices-never-shown", severity: .error, path: "segments.a.choices",
            with: asking(events: #"{ "at": 5, "do": "decide" }"#), without: asking()),
        FindingCase(
            code: "choices-never-shown", severity: .error, path: "segments.a.choices",
            with: asking(
                events: #"{ "at": 1, "do": "showControls" }, { "at": 1, "do": "hideControls" }"#),
            without: asking(
                events: #"{ "at": 1, "do": "showControls" }, { "at": 2, "do": "hideControls" }"#)),
        FindingCase(
            code: "choices-never-shown", severity: .error, path: "segments.a.choices",
            with: asking(events: #"{ "at": 10, "do": "showControls" }"#),
            without: asking(events: #"{ "at": 9, "do": "showControls" }"#)),
        FindingCase(
            code: "undefined-variable", severity: .error, path: "segments.a.choices[0].when",
            with: choosing(#""goto": "b", "when": "courag > 3""#, #""goto": "end""#),
            without: choosing(#""goto": "b", "when": "courage > -3""#, #""goto": "end""#),
            variables: #"{ "courage": 3 }"#),
        FindingCase(
            code: "undefined-variable", severity: .error, path: "segments.a.choices[0].set.y",
            with: choosing(#""goto": "b", "set": { "y": "x" }"#, #""goto": "end", "when": "x""#),
            without: choosing(#""goto": "b", "set": { "x": "x" }"#, #""goto": "end", "when": "x""#),
            variables: #"{ "x": 3 }"#),
        FindingCase(
            code: "variable-never-read", severity: .warning, path: "variables.x",
            with: choosing(#""goto": "b", "set": { "x": "x + 1" }"#, #""goto": "end""#),
            without: choosing(
                #""goto": "b", "set": { "x": "x + 1" }"#, #""goto": "end", "when": "x < 9""#),
            variables: #"{ "x": 3 }"#),
        FindingCase(
            code: "event-outside", severity: .error, path: "segments.a.events[0].at",
            with:
                #""a": { "media": "m", "range": [2, 6], "role": "epilogue", "events": [ { "at": 1, "do": "x" } ] }"#,
            without:
                #""a": { "media": "m", "range": [2, 6], "role": "epilogue", "events": [ { "at": 6, "do": "x" } ] }"#
        ),
        FindingCase(
            code: "event-outside", severity: .error, path: "segments.a.events[0].at",
            with:
                #""a": { "media": "m", "role": "epilogue", "events": [ { "at": 11, "do": "x" } ] }"#,
            without:
                #""a": { "media": "m", "role": "epilogue", "events": [ { "at": 6, "do": "x" } ] }"#),
        FindingCase(
            code: "event-out-of-order", severity: .warning, path: "segments.a.events[1].at",
            with: asking(
                events: #"{ "at": 5, "do": "decide" }, { "at": 1, "do": "showControls" }"#),
            without: asking()),
        // When the clip plays backwards, the later instant comes first.
        FindingCase(
            code: "event-out-of-order", severity: .warning, path: "segments.a.events[1].at",
            with: asking(
                #""timeMap": [ { "output": 0, "source": 10 }, { "output": 10, "source": 0 } ],"#,
                events: #"{ "at": 1, "do": "showControls" }, { "at": 5, "do": "flash" }"#),
            without: asking(
                #""timeMap": [ { "output": 0, "source": 10 }, { "output": 10, "source": 0 } ],"#,
                events: #"{ "at": 5, "do": "showControls" }, { "at": 1, "do": "flash" }"#)),
        FindingCase(
            code: "event-never-reached", severity: .warning, path: "segments.a.events[0].at",
            with: asking(
                #""timeMap": [ { "output": 0, "source": 2 }, { "output": 8, "source": 10 } ],"#),
            without: asking(
                #""timeMap": [ { "output": 0, "source": 0 }, { "output": 8, "source": 10 } ],"#)),
        FindingCase(
            code: "event-without-choices", severity: .warning, path: "segments.a.events[0].do",
            with:
                #""a": { "media": "m", "role": "epilogue", "events": [ { "at": 1, "do": "showControls" } ] }"#,
            without:
                #""a": { "media": "m", "role": "epilogue", "events": [ { "at": 1, "do": "shout" } ] }"#
        ),
        FindingCase(
            code: "key-taken", severity: .error, path: "segments.a.choices[1].key",
            with: choosing(#""goto": "b", "key": "o""#, #""goto": "end", "key": "O""#),
            without: choosing(#""goto": "b", "key": "o""#, #""goto": "end", "key": "p""#)),
        FindingCase(
            code: "ineffective", severity: .warning, path: "segments.a.default",
            with: choosing(
                #""goto": "b""#, #""goto": "end""#, rest: #""default": "b", "loop": true"#),
            without: choosing(
                #""goto": "b""#, #""goto": "end""#, rest: #""default": "b", "loop": false"#)),
        FindingCase(
            code: "ineffective", severity: .warning, path: "segments.a.then",
            with: choosing(
                #""goto": "b""#, #""goto": "end""#, rest: #""default": "b", "then": "b""#),
            without: choosing(#""goto": "b""#, #""goto": "end""#)),
        FindingCase(
            code: "ineffective", severity: .warning, path: "segments.a.loop",
            with: #""a": { "media": "m", "loop": true, "then": "end" }, \#(end)"#,
            without: #""a": { "media": "m", "then": "end" }, \#(end)"#),
        FindingCase(
            code: "media-missing", severity: .error, path: "segments.a.media",
            with: #""a": { "media": "gone", "role": "epilogue" }"#,
            without: #""a": { "media": "m", "role": "epilogue" }"#),
        FindingCase(
            code: "media-damaged", severity: .error, path: "segments.a.media",
            with: #""a": { "media": "torn", "role": "epilogue" }"#,
            without: #""a": { "media": "m", "role": "epilogue" }"#),
        FindingCase(
            code: "range-missing", severity: .error, path: "segments.a.range",
            with: #""a": { "media": "m", "range": [2, "10.1"], "role": "epilogue" }"#,
            without: #""a": { "media": "m", "range": [2, 10], "role": "epilogue" }"#),
        FindingCase(
            code: "time-map-invalid", severity: .error, path: "segments.a.warp",
            with: #""a": { "media": "m", "warp": { "scale": "t - 0.5" }, "role": "epilogue" }"#,
            without: #""a": { "media": "m", "warp": { "scale": "t + 0.5" }, "role": "epilogue" }"#),
        FindingCase(
            code: "time-map-invalid", severity: .error, path: "segments.a.timeMap",
            with:
                #""a": { "media": "m", "timeMap": [ { "output": 0, "source": 0 }, { "output": 1, "source": 11 } ], "role": "epilogue" }"#,
            without:
                #""a": { "media": "m", "timeMap": [ { "output": 0, "source": 0 }, { "output": 1, "source": 9 } ], "role": "epilogue" }"#
        ),
        FindingCase(
            code: "time-map-invalid", severity: .error, path: "segments.a.timeMapFile",
            with: #""a": { "media": "m", "timeMapFile": "gone", "role": "epilogue" }"#,
            without: #""a": { "media": "m", "timeMapFile": "fine", "role": "epilogue" }"#),
        FindingCase(
            code: "captions-unusable", severity: .error, path: "segments.a.captions[0].file",
            with:
                #""a": { "media": "m", "captions": [ { "file": "gone", "language": "en" } ], "role": "epilogue" }"#,
            without:
                #""a": { "media": "m", "captions": [ { "file": "fine", "language": "en" } ], "role": "epilogue" }"#
        ),
    ]
}
