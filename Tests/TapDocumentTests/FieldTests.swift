import TapDocument
import Testing

@Suite struct `A table of fields` {
    struct Bounds: Equatable, Sendable {
        enum Pace: String, CaseIterable { case slow, fast }

        var wall = Duration.seconds(60)
        var count: UInt8 = 3
        var pace = Pace.slow
        var idle: Duration?
        var isStrict = false

        static let table = FieldTable(
            "a map of bounds", Bounds(),
            [
                Field("wall", \.wall, .duration, "How long.", synonyms: ["timeout"]),
                Field("count", \.count, .integer(0...255), "How often."),
                Field("pace", \.pace, .word, "How fast."),
                Field("idle", \.idle, .duration, "How long nothing may come; no bound without it."),
                Field("strict", \.isStrict, .boolean, "Whether it is strict.", synonyms: ["werror"]),
            ])
    }

    @Test func `takes a key's default from the property`() {
        #expect(Bounds.table.keys.keys.map(\.standard) == ["60s", "3", "slow", nil, "false"])
        #expect(Bounds.table.value(nil) == Bounds())
    }

    @Test func `reads what it writes`() throws {
        let bounds = Bounds(wall: .milliseconds(1_500), count: 255, pace: .fast, idle: .seconds(2), isStrict: true)
        let node: Node = ["wall": "1500ms", "count": 255, "pace": "fast", "idle": "2s", "strict": true]
        #expect(Bounds.table.node(bounds) == node)
        var diagnostics = Diagnostics()
        let map = try #require(Bounds.table.keys.read(node, into: &diagnostics))
        #expect(Bounds.table.value(map) == bounds)
    }

    @Test func `omits a nil property, and keeps properties without a key`() throws {
        #expect(Bounds.table.node(Bounds())["idle"] == nil)
        var diagnostics = Diagnostics()
        let map = try #require(Bounds.table.keys.read(["count": 7], into: &diagnostics))
        #expect(Bounds.table.value(map) == Bounds(count: 7))
    }
}
