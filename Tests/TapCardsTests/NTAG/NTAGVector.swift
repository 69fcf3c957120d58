import Foundation
import TapCards
import TapWire
import TestSupport
import Testing

/// A row of `Vectors/ntag21x.txt`.
struct NTAGVector: Sendable, CustomTestStringConvertible {
    let name: String
    let setup: [String]
    let tag: [String]
    let stateBefore: String
    let request: String
    let response: String
    let stateAfter: String
    let confidence: String
    let note: String

    /// All rows in order.
    static let all = VectorFile.lines("ntag21x.txt").map(NTAGVector.init)

    private init(_ line: String) {
        let fields = line.components(separatedBy: " | ")
        guard fields.count >= 8 else { fatalError("a vector has at least eight fields: \(line)") }
        name = fields[0]
        setup = fields[1].components(separatedBy: ", ")
        tag = fields[2].components(separatedBy: " ")
        stateBefore = fields[3]
        request = fields[4]
        response = fields[5]
        stateAfter = fields[6]
        confidence = fields[7]
        note = fields.count > 8 ? fields[8] : ""
    }

    var testDescription: String { "\(name) \(note)" }

    /// The rows from the last fresh tag up to this row.
    var chain: ArraySlice<NTAGVector> {
        let end = Self.all.firstIndex { $0.name == name } ?? 0
        let start = Self.all[...end].lastIndex { $0.setup.first == "new" } ?? 0
        return Self.all[start...end]
    }

    /// The tag, fresh and powered.
    func session() -> NTAGSession {
        NTAGSession(SampleTags.tag(tag), isMemoryFailing: tag.contains("fault"))
    }

    /// Performs the event that the row specifies before its request.
    func prepare(_ session: inout NTAGSession) {
        for step in setup where step != "new" && step != "next" {
            switch step {
            case "REQA": session.send("26:7")
            case "HLTA": session.send("50 00")
            case "SEL CL1": session.select(.first)
            case "SEL CL2": session.select(.second)
            case "sel": session.select()
            case "cycle": session.cycle()
            case "auth": session.authenticate()
            default: session.send(step)
            }
        }
    }

    /// Sends the request as transmitted over RF and returns the answer in the same form.
    func exchange(_ session: inout NTAGSession) -> String {
        let bits = BitText(request)
        let command = TypeAFraming.command(rfBytes: bits.bytes, bitCount: bits.count)
        guard let answer = session.send(command) else { return "-" }
        let bytes = TypeAFraming.rfBytes(answer: answer, to: command)
        return BitText(bytes, answer.bitCount % 8 == 0 ? bytes.count * 8 : answer.bitCount).description
    }

    /// The expected answer, with `memory` replaced by its bytes.
    func expectedAnswer(_ session: NTAGSession) -> String {
        guard response.hasPrefix("memory ") else { return response }
        var shown = session.card.template.definition
        shown.password = .zero
        shown.pack = 0
        return Hex.text(shown.memory, separator: " ") + response.dropFirst("memory".count)
    }
}
