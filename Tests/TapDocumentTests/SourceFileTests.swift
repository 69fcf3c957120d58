import TapDocument
import Testing

@Suite struct `Source files` {
    @Test(arguments: [
        ("", [0]), ("a", [0]), ("a\nb", [0, 2]), ("a\r\nb\rc\n", [0, 3, 5, 7]), ("\n\n", [0, 1, 2]), ("a\r", [0, 2]),
    ])
    func `locate the starts of lines`(_ text: String, _ starts: [Int]) {
        let file = SourceFile(name: "a", text: text)
        #expect(file.lineCount == starts.count)
        for (index, start) in starts.enumerated() {
            #expect(file.offsets(ofLine: index + 1).lowerBound == start)
            #expect(file.line(at: start) == index + 1)
        }
        #expect(file.offsets(ofLine: starts.count + 1).isEmpty)
    }

    @Test func `count columns in characters, without the byte order mark`() {
        let file = SourceFile(name: "a", bytes: [0xEF, 0xBB, 0xBF] + Array("é日\r\n😀x".utf8))
        let place = SourceRange(file, offset: 5, length: 1)
        #expect(place.text == "x")
        #expect((place.line, place.column) == (2, 2))
        #expect(file.offsets(ofLine: 1) == 0..<2)
        #expect(file.offset(ofByte: 2) == 1)
        #expect(file.brokenOffset == nil)
    }

    @Test func `replace invalid UTF-8 and remember where it first occurs`() {
        let file = SourceFile(name: "a", bytes: [0x61, 0xFF, 0x62, 0xE6, 0x97])
        #expect(file.brokenOffset == 1)
        #expect(file.scalars == ["a", "\u{FFFD}", "b", "\u{FFFD}"])
    }

    @Test func `clamp ranges to the text`() {
        let file = SourceFile(name: "a", text: "abc")
        #expect(SourceRange(file, offset: 2, length: 9).text == "c")
        #expect(SourceRange(file, offset: 9, length: 9).text == "")
        #expect(SourceRange(file, offset: -3, length: 2).text == "ab")
        #expect(SourceRange(file, offset: 2, end: 1).length == 0)
    }

    @Test func `are equal if their names and bytes are`() {
        let file = SourceFile(name: "a", text: "x")
        #expect(file == SourceFile(name: "a", text: "x"))
        #expect(file != SourceFile(name: "b", text: "x"))
        #expect(file != SourceFile(name: "a", text: "y"))
    }
}
