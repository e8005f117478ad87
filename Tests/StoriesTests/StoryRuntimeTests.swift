import Foundation
import Testing

@testable import Stories

@Suite("The runtime, rule by rule")
struct StoryRuntimeTests {
    /// Shows the controls at 2 s, hides them at 6 s, and decides at 8 s.
    private static func asking(_ more: String, choices: String? = nil) -> String {
        let both = #"""
            { "label": "up", "goto": "b", "set": { "x": "y + 1", "y": "x" } },
            { "label": "on", "goto": "c", "when": "x > 0" }
            """#
        return """
            "a": { "media": "m", "choices": [ \(choices ?? both) ], \(more)
              "events": [ { "at": 1, "do": "flash" }, { "at": 2, "do": "showControls" },
                          { "at": 6, "do": "hideControls" }, { "at": 8, "do": "decide" } ] },
            "b": { "media": "m", "then": "c" },
            "c": { "media": "m", "role": "epilogue", "events": [ { "at": 9, "do": "bell" } ] }
            """
    }

    private func runtime(
        _ more: String = #""default": "c","#, choices: String? = nil
    ) throws -> StoryRuntime {
        try Sample.runtime(
            Self.asking(more, choices: choices), variables: #"{ "x": 0, "y": 5 }"#)
    }

    /// A segment without any event.
    private func waiting(_ condition: String = "1") throws -> StoryRuntime {
        try Sample.runtime(
            """
            "a": { "media": "m",
              "choices": [ { "label": "L", "goto": "b", "when": "\(condition)" } ] },
            "b": { "media": "m", "then": "c" }, "c": { "media": "m" }
            """, variables: #"{ "x": 0 }"#)
    }

    @Test("0: before the start nothing means anything but start")
    func beforeStart() throws {
        var story = try runtime()
        let fresh = story.state
        for input in [StoryInput.reached(5), .finished, .chose(0), .back] {
            #expect(story.handle(input) == [])
        }
        #expect(story.state == fresh && fresh.phase == .ended)
        #expect(story.handle(.start) == [.play("a")])
        #expect(story.state == StoryState(segment: "a", variables: ["x": 0, "y": 5]))
    }

    @Test("1: a segment without choices locks what follows when it is entered")
    func entering() throws {
        var story = try Sample.runtime(
            #""a": { "media": "m", "then": "b" }, "b": { "media": "m" }"#)
        #expect(story.handle(.start) == [.play("a"), .lock("b")])
        #expect(story.state.phase == .locked && story.state.next == "b")
        #expect(story.handle(.finished) == [.jump("b")])
        #expect(story.state.phase == .playing && story.state.next == nil)
        #expect(story.handle(.finished) == [.end])
        #expect(story.state.phase == .ended)
    }

    @Test("2: events fire once, in order, when their time is reached")
    func events() throws {
        var story = try runtime()
        _ = story.handle(.start)
        #expect(story.handle(.reached(0.99)) == [])
        #expect(story.handle(.reached(1)) == [.event("flash")])
        #expect(story.handle(.reached(1)) == [])
        #expect(story.state.fired == 1)
        #expect(story.handle(.reached(2)) == [.show([0])])
        #expect(story.state.phase == .choosing && story.state.available == [0])
        #expect(story.handle(.reached(6)) == [.hide])
        #expect(story.state.phase == .playing && story.state.available == [])
        #expect(story.handle(.reached(.nan)) == [])
        #expect(story.handle(.reached(20)) == [.lock("c")])
    }

    @Test("2: several events in one step give their actions in order")
    func manyEvents() throws {
        var story = try runtime()
        _ = story.handle(.start)
        #expect(
            story.handle(.reached(8)) == [.event("flash"), .show([0]), .hide, .lock("c")])
        #expect(story.state.history.count == 1)
    }

    @Test("2: controls aren't shown where no condition holds")
    func nothingToShow() throws {
        var story = try runtime(choices: #"{ "label": "L", "goto": "b", "when": "x > 0" }"#)
        _ = story.handle(.start)
        #expect(story.handle(.reached(3)) == [.event("flash")])
        #expect(story.state.phase == .playing)
    }

    @Test("3: a choice assigns from the values before, and locks its target")
    func choosing() throws {
        var story = try runtime()
        _ = story.handle(.start)
        #expect(story.handle(.chose(0)) == [])
        _ = story.handle(.reached(3))
        #expect(story.handle(.chose(1)) == [], "not offered")
        #expect(story.handle(.chose(-1)) == [])
        #expect(
            story.handle(.chose(0)) == [.choice(segment: "a", index: 0), .hide, .lock("b")])
        #expect(story.state.variables == ["x": 6, "y": 0])
        #expect(story.state.history == [.init(segment: "a", variables: ["x": 0, "y": 5])])
        #expect(story.state.phase == .locked && story.state.available == [])
        #expect(story.handle(.chose(0)) == [], "decided")
        #expect(story.handle(.reached(8)) == [], "decide and hideControls are void")
        #expect(story.handle(.finished) == [.jump("b"), .lock("c")])
    }

    @Test(
        "3: a choice that is immediate leaves the segment at once, and its later events never happen"
    )
    func immediate() throws {
        let choices = #"{ "label": "up", "goto": "b", "immediately": true }"#
        var story = try runtime(choices: choices)
        _ = story.handle(.start)
        _ = story.handle(.reached(3))
        #expect(
            story.handle(.chose(0)) == [.choice(segment: "a", index: 0), .hide, .leave, .lock("b")])
        #expect(story.handle(.reached(9)) == [])
        #expect(story.handle(.finished) == [.jump("b"), .lock("c")])
        // At the end there is nothing left to leave.
        var waiting = try runtime("", choices: choices)
        _ = waiting.handle(.start)
        _ = waiting.handle(.finished)
        #expect(
            waiting.handle(.chose(0)) == [
                .choice(segment: "a", index: 0), .hide, .lock("b"), .jump("b"), .lock("c"),
            ])
    }

    @Test("3: what isn't finite isn't assigned")
    func notFinite() throws {
        var story = try runtime(
            choices: #"{ "label": "L", "goto": "b", "set": { "x": "1/0", "y": "sqrt(-1)" } }"#)
        _ = story.handle(.start)
        _ = story.handle(.reached(3))
        _ = story.handle(.chose(0))
        #expect(story.state.variables == ["x": 0, "y": 5])
    }

    @Test("4: a loop is taken before a default, and isn't remembered")
    func looping() throws {
        var story = try runtime(#""loop": true, "default": "c","#)
        _ = story.handle(.start)
        _ = story.handle(.reached(3))
        #expect(story.handle(.finished) == [.hide, .lock("a"), .jump("a")])
        #expect(story.state == StoryState(segment: "a", variables: ["x": 0, "y": 5]))
    }

    @Test("4: without default and loop a decision is void")
    func voidDecision() throws {
        var story = try runtime("")
        _ = story.handle(.start)
        _ = story.handle(.reached(5))
        #expect(story.handle(.reached(9)) == [.hide])
        #expect(story.state.phase == .playing)
    }

    @Test("5: the end of a segment fires what is left, takes the default and jumps")
    func finishing() throws {
        var story = try runtime()
        _ = story.handle(.start)
        #expect(
            story.handle(.finished) == [
                .event("flash"), .show([0]), .hide, .lock("c"), .jump("c"),
            ])
        #expect(story.state.fired == 0)
        #expect(story.handle(.finished) == [.event("bell"), .end])
        #expect(story.handle(.finished) == [])
    }

    @Test("5: without a default it waits, and a choice jumps at once")
    func waits() throws {
        var story = try waiting()
        _ = story.handle(.start)
        #expect(story.handle(.finished) == [.show([0])])
        #expect(story.state.phase == .waiting && story.state.available == [0])
        #expect(story.handle(.finished) == [])
        #expect(story.handle(.reached(99)) == [])
        #expect(
            story.handle(.chose(0)) == [
                .choice(segment: "a", index: 0), .hide, .lock("b"), .jump("b"), .lock("c"),
            ])
        #expect(story.state.segment == "b" && story.state.phase == .locked)
    }

    @Test("5: controls that are shown already aren't shown again")
    func keepsShowing() throws {
        var story = try Sample.runtime(
            """
            "a": { "media": "m", "events": [ { "at": 1, "do": "showControls" } ],
              "choices": [ { "label": "L", "goto": "b" } ] }, "b": { "media": "m" }
            """)
        _ = story.handle(.start)
        #expect(story.handle(.finished) == [.show([0])])
        _ = story.handle(.restart)
        #expect(story.handle(.reached(1)) == [.show([0])])
        #expect(story.handle(.finished) == [])
        #expect(story.state.phase == .waiting)
    }

    @Test("5: with nothing to choose the story ends")
    func nothingLeft() throws {
        var story = try waiting("x > 0")
        _ = story.handle(.start)
        #expect(story.handle(.finished) == [.end])
        #expect(story.state.phase == .ended && story.state.available == [])
    }

    @Test("6: back goes to the last decision with the values from before it")
    func back() throws {
        var story = try runtime()
        _ = story.handle(.start)
        #expect(story.handle(.back) == [])
        _ = story.handle(.reached(3))
        _ = story.handle(.chose(0))
        _ = story.handle(.finished)
        _ = story.handle(.finished)
        _ = story.handle(.finished)
        #expect(story.state.phase == .ended && story.state.segment == "c")
        #expect(story.handle(.back) == [.play("a")])
        #expect(story.state == StoryState(segment: "a", variables: ["x": 0, "y": 5]))
    }

    @Test("6: back hides what is shown")
    func backHides() throws {
        var story = try runtime(choices: #"{ "label": "L", "goto": "a" }"#)
        _ = story.handle(.start)
        _ = story.handle(.reached(3))
        _ = story.handle(.chose(0))
        _ = story.handle(.finished)
        _ = story.handle(.reached(3))
        #expect(story.handle(.back) == [.hide, .play("a")])
    }

    @Test("7: restart forgets everything")
    func restart() throws {
        var story = try runtime()
        _ = story.handle(.start)
        _ = story.handle(.reached(3))
        #expect(story.handle(.restart) == [.hide, .play("a")])
        _ = story.handle(.reached(3))
        _ = story.handle(.chose(0))
        #expect(story.handle(.restart) == [.play("a")])
        #expect(story.state == StoryState(segment: "a", variables: ["x": 0, "y": 5]))
    }

    @Test("8: a restored story plays its segment from the start, with values and history")
    func resuming() throws {
        var story = try runtime()
        _ = story.handle(.start)
        _ = story.handle(.reached(3))
        _ = story.handle(.chose(0))
        _ = story.handle(.finished)
        let saved = try JSONEncoder().encode(story.state)
        let state = try JSONDecoder().decode(StoryState.self, from: saved)
        #expect(state == story.state)
        var restored = try StoryRuntime(story.manifest, restoring: state)
        #expect(restored.resume() == [.play("b"), .lock("c")])
        #expect(restored.state.variables == ["x": 6, "y": 0])
        #expect(restored.state.history.count == 1)
        var ended = try StoryRuntime(
            story.manifest,
            restoring: StoryState(segment: "c", variables: ["x": 0, "y": 0], phase: .ended))
        #expect(ended.resume() == [] && ended.state.phase == .ended)
    }

    @Test("8: a state that names what isn't there is refused")
    func refusing() throws {
        let story = try runtime()
        var states = (0..<9).map { _ in StoryState(segment: "a", variables: ["x": 0, "y": 5]) }
        states[0].segment = "z"
        states[1].variables["z"] = 1
        states[2].variables["y"] = nil
        states[3].next = "z"
        states[4].available = [2]
        states[5].fired = 5
        states[6].history = [.init(segment: "z", variables: ["x": 0, "y": 5])]
        states[7].phase = .locked
        states[8].variables["y"] = .infinity
        for state in states {
            #expect(throws: StoryError.self) {
                try StoryRuntime(story.manifest, restoring: state)
            }
        }
    }

    @Test("state, inputs and actions have the keys of the contract")
    func keys() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func json(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        let state = StoryState(
            segment: "door", variables: ["courage": 1], fired: 2,
            history: [.init(segment: "door", variables: ["courage": 0])])
        #expect(
            try json(state)
                == #"{"available":[],"fired":2,"history":[{"segment":"door","variables":"#
                + #"{"courage":0}}],"next":null,"phase":"playing","segment":"door","variables":"#
                + #"{"courage":1}}"#)
        let inputs: [StoryInput] = [.start, .reached(4.5), .finished, .chose(1), .back, .restart]
        #expect(
            try json(inputs)
                == #"[{"do":"start"},{"do":"reached","time":4.5},{"do":"finished"},"#
                + #"{"choice":1,"do":"chose"},{"do":"back"},{"do":"restart"}]"#)
        #expect(try JSONDecoder().decode([StoryInput].self, from: encoder.encode(inputs)) == inputs)
        let actions: [StoryAction] = [
            .play("x"), .show([0, 1]), .hide, .lock("x"), .jump("x"), .event("x"),
            .choice(segment: "x", index: 0), .end,
        ]
        #expect(
            try json(actions)
                == #"[{"do":"play","segment":"x"},{"choices":[0,1],"do":"show"},{"do":"hide"},"#
                + #"{"do":"lock","segment":"x"},{"do":"jump","segment":"x"},"#
                + #"{"do":"event","name":"x"},{"choice":0,"do":"choice","segment":"x"},{"do":"end"}]"#
        )
        #expect(
            try JSONDecoder().decode([StoryAction].self, from: encoder.encode(actions)) == actions)
    }
}
