import Foundation
import TapCards
import TapWire
import TestSupport
import Testing

/// A row of `Vectors/ntag21x-quirks.txt`.
struct NTAGQuirkVector: Sendable, CustomTestStringConvertible {
    let name: String
    let value: String
    let tag: [String]
    let commands: [String]
    let byDefault: String
    let withValue: String

    static let all = VectorFile.lines("ntag21x-quirks.txt").map(NTAGQuirkVector.init)

    private init(_ line: String) {
        let fields = line.components(separatedBy: " | ")
        guard fields.count == 5 else { fatalError("a row has five fields: \(line)") }
        let setting = fields[0].components(separatedBy: "=")
        (name, value) = (setting[0], setting[1])
        tag = fields[1].components(separatedBy: " ")
        commands = fields[2].components(separatedBy: ", ")
        (byDefault, withValue) = (fields[3], fields[4])
    }

    var testDescription: String { "\(name)=\(value), \(commands.joined(separator: ", "))" }

    /// The last answer and the state after it.
    func result(_ definition: NTAGDefinition) -> String {
        var session = NTAGSession(definition)
        session.select()
        var answer = "-"
        for command in commands {
            switch command {
            case "sel": session.select()
            case "WUPA": session.send("52:7")
            case "SEL1": session.select(.first)
            default: answer = session.send(command)
            }
        }
        return "\(answer) \(session.card.stateName)"
    }
}

@Suite struct `NTAG21x quirks` {
    @Test(arguments: NTAGQuirkVector.all)
    func `change the documented behaviour`(vector: NTAGQuirkVector) throws {
        var definition = SampleTags.tag(vector.tag)
        Self.expect(vector.result(definition), vector.byDefault)
        try definition.quirks.set(vector.name, to: vector.value)
        Self.expect(vector.result(definition), vector.withValue)
    }

    /// Compares a result; a leading `…` matches any bytes.
    private static func expect(_ result: String, _ expected: String) {
        if expected.hasPrefix("…") {
            #expect(result.hasSuffix(expected.dropFirst()) && !result.hasPrefix("-"))
        } else {
            #expect(result == expected)
        }
    }

    @Test func `are all covered by vectors`() {
        let seen = Set(NTAGQuirkVector.all.map { "\($0.name)=\($0.value)" })
        let all = NTAGQuirks.switches.flatMap { row in row.listedValues.dropFirst().map { "\(row.name)=\($0)" } }
        #expect(seen == Set(all))
    }

    @Test(arguments: NTAGQuirks.switches.map(\.name))
    func `are set by name and text`(name: String) throws {
        let row = try #require(NTAGQuirks.switches.first { $0.name == name })
        var quirks = NTAGQuirks()
        #expect(row.value(in: quirks) == row.defaultValue)
        #expect(row.meaning.hasSuffix("."))
        for value in row.listedValues {
            try quirks.set(name, to: value)
            #expect(row.value(in: quirks) == value)
            let others = NTAGQuirks.switches.filter { $0.name != name }
            #expect(others.allSatisfy { $0.value(in: quirks) == $0.defaultValue })
        }
        #expect((quirks == NTAGQuirks()) == (row.listedValues.count == 1))
    }

    @Test func `reject unknown names and values`() {
        var quirks = NTAGQuirks()
        let name = #expect(throws: QuirkError.self) { try quirks.set("badCRC", to: "nak0") }
        #expect(name?.description.hasPrefix("there is no quirk `badCRC`; the quirks are unknownOpcode, ") == true)
        let value = #expect(throws: QuirkError.self) { try quirks.set("cfglckLatch", to: "later") }
        let expected = "the quirk `cfglckLatch` cannot be `later`; it can be powerOn, selection or immediate"
        #expect(value?.description == expected)
        #expect(quirks == NTAGQuirks())
    }

    @Test func `have unique names`() {
        let names = NTAGQuirks.switches.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count == 26)
    }
}
