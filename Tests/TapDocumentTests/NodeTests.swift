import TapDocument
import Testing

@Suite struct `Nodes` {
    private let node: Node = [
        "command": "felica.read", "blocks": [0, 1], "ok": true, "nothing": .null, "share": .number(0.5),
    ]

    @Test func `provide access by key and index`() {
        #expect(node["command"]?.text == "felica.read")
        #expect(node["blocks"]?[1] == 1)
        #expect(node["blocks"]?[2] == nil && node["blocks"]?[-1] == nil)
        #expect(node["none"] == nil && node["command"]?["x"] == nil)
        #expect(node.entries.map(\.key.text) == ["command", "blocks", "ok", "nothing", "share"])
        #expect(node["blocks"]?.items.count == 2)
        #expect(node["blocks"]?.text == nil && node["ok"]?.items.isEmpty == true)
        #expect(node.range == nil)
        #expect([node.kind, node["blocks"]?.kind, node["ok"]?.kind] == [.map, .list, .scalar])
    }

    @Test func `omit keys without a value`() {
        let hint: String? = nil
        let built = Node.map(["message": "m", "hint": hint.map(Node.text), "line": .number(UInt8(6))])
        #expect(built == ["message": "m", "line": 6])
    }

    @Test func `keep the first of two entries with the same key`() {
        #expect(Node.map([(key: "a", value: 1), (key: "a", value: 2)]) == ["a": 1])
    }

    @Test func `are equal if their content is equal, regardless of position`() {
        let file = SourceFile(name: "a", text: "abc")
        let placed = Node.scalar(Scalar("abc", range: SourceRange(file, offset: 0, length: 3)))
        #expect(placed == "abc")
        #expect(placed.hashValue == Node.text("abc").hashValue)
        #expect(Node.scalar(Scalar("1", form: .plain)) != 1)
        #expect(["a", "b"] as Node != ["b", "a"])
        #expect(["a": 1, "b": 2] as Node != ["b": 2, "a": 1])
    }

    @Test func `recognize an empty value`() {
        #expect(Scalar("", form: .plain).isNothing && Scalar("null", form: .null).isNothing)
        #expect(!Scalar("").isNothing && !Scalar("null", form: .plain).isNothing)
    }

    @Test func `represent the numbers of JSON`() {
        #expect(Node.number(1e300).text == "1e+300")
        #expect(Node.number(Double.infinity) == .null && Node.number(Double.nan) == .null)
        #expect(Node.number(Int64.min).text == "-9223372036854775808")
    }
}
