import TapDocument
import Testing

/// Output tables such as those of `--json`.
@Suite struct `An output table` {
    private enum Colour: String, CaseIterable, OutputValue {
        case red, blue
    }

    private struct Part: OutputModel {
        let size: Int?

        static let output = OutputTable<Self>(
            "part", "A part",
            .maybe("size", "Its size", \.size))
    }

    private struct Whole: OutputModel {
        let name: String
        var note = ""
        var parts: [Part] = []
        var colour: Colour?

        static let output = OutputTable<Self>(
            "whole", "A whole",
            .always("name", "Its name", \.name), .filled("note", "A remark", \.note),
            .each("parts", "Its parts") { $0.parts.lazy.filter { $0.size != 0 } },
            .always("colour", "Its colour, or null", \.colour),
            Part.output.rows { $0.parts.first ?? Part(size: nil) })
    }

    private static let wholes = [
        (Whole(name: "a"), #"{"name":"a","parts":[],"colour":null}"#),
        (
            Whole(name: "b", note: "n", parts: [Part(size: 2), Part(size: nil), Part(size: 0)], colour: .blue),
            #"{"name":"b","note":"n","parts":[{"size":2},{}],"colour":"blue","size":2}"#
        ),
    ]

    @Test func `writes its keys in order, at once or item by item, and omits empty values`() {
        for (whole, expected) in Self.wholes {
            #expect(JSONWriter.text(whole.node, .compact) == JSONWriter.text(Self.read(expected), .compact))
            var streamed = ""
            var stream = JSONWriter.Stream(.compact) { streamed += $0 }
            stream.beginList("all")
            Whole.output.write(whole, to: &stream)
            stream.end()
            stream.end()
            #expect(streamed == JSONWriter.text(["all": [whole.node]], .compact))
        }
    }

    @Test func `keeps a list open for later items`() {
        let table = OutputTable<Int>(
            "run", "A run",
            .always("n", "") { $0 }, .open("parts", of: .number, ""), .always("again", "") { $0 })
        var text = ""
        var stream = JSONWriter.Stream(.compact) { text += $0 }
        table.begin(1, in: &stream)
        stream.add(7)
        table.end(2, in: &stream)
        #expect(text == JSONWriter.text(["n": 1, "parts": [7], "again": 2], .compact))
        #expect(table.object.keys.map(\.name) == ["n", "parts", "again"])
    }

    @Test func `produces the schema of its values`() throws {
        let schema = Whole.output.object.schema
        #expect(schema["required"] == ["name", "parts", "colour"])
        let properties = try #require(schema["properties"])
        #expect(properties["note"] == ["description": "A remark", "type": "string"])
        #expect(properties["parts"]?["items"] == ["$ref": "#/definitions/part"])
        #expect(properties["colour"]?["anyOf"] == [["enum": ["red", "blue"]], ["type": "null"]])
        #expect(Whole.outputShape.objects.map(\.name) == ["whole"])
    }

    private static func read(_ text: String) -> Node {
        var diagnostics = Diagnostics()
        return JSONReader().read(SourceFile(name: "", text: text), into: &diagnostics) ?? .null
    }
}
