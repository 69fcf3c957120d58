import Foundation
import TapCards
import TapWire
import TestSupport
import Testing

/// A cell of `Vectors/lite-states.txt`: a packet in a state.
struct LiteTransition: Sendable, CustomTestStringConvertible {
    enum State: String, CaseIterable {
        case lite = "LITE"
        case blank = "BLANK"
        case issued = "ISSUED"
        case session = "SESSION"
        case authenticated = "AUTHENTICATED"
    }

    let name: String
    let packet: String
    let state: State
    /// The words of the cell.
    let answer: String
    let next: String?

    static let all = VectorFile.lines("lite-states.txt").flatMap(cells)

    var testDescription: String { "\(name), \(state.rawValue)" }

    private static func cells(_ line: String) -> [LiteTransition] {
        let fields = line.components(separatedBy: " | ")
        guard fields.count == 2 + State.allCases.count else { fatalError("a row has seven fields: \(line)") }
        var last = ""
        return zip(State.allCases, fields.dropFirst(2)).map { state, cell in
            if cell != "=" { last = cell }
            let words = last.split(separator: " ")
            let isState = { (word: Substring) in word == "*" || word.contains { $0.isLowercase } }
            let next = words.count > 1 ? words.last.flatMap { isState($0) ? String($0) : nil } : nil
            return LiteTransition(
                name: fields[0], packet: fields[1], state: state,
                answer: words.dropLast(next == nil ? 0 : 1).joined(), next: next)
        }
    }

    /// The complete answer in hexadecimal; `nil` if any answer is accepted.
    var expected: String? {
        switch answer {
        case "*": return nil
        case "-": return "-"
        case "same": return packet
        default:
            let body = Hex.text(CardL.idm.rawValue.bigEndianBytes) + answer
            let code = UInt8(packet.dropFirst(2).prefix(2), radix: 16) ?? 0
            return Hex.digits(UInt8(2 + body.count / 2), width: 2) + Hex.digits(code + 1, width: 2) + body
        }
    }
}

@Suite struct `FeliCa Lite states` {
    @Test(arguments: LiteTransition.all)
    func `handle every packet as the table specifies`(_ transition: LiteTransition) throws {
        var reader = try Self.reader(in: transition.state)
        let before = reader.card
        let answer = reader.answer(try Hex.bytes(transition.packet)).map { Hex.text($0) } ?? "-"
        if let expected = transition.expected { #expect(answer == expected) }
        if transition.next != "*" { #expect(reader.card.stateName == transition.next ?? before.stateName) }
        if !transition.answer.hasPrefix("0000") { #expect(reader.card == before) }
    }

    /// A card as described at the top of the table.
    private static func reader(in state: LiteTransition.State) throws -> LiteReader {
        var definition = CardL.definition(state == .lite ? .lite : .liteS)
        definition.registers = BlockData(try Hex.bytes("1000000020000000"))
        switch state {
        case .lite:
            definition.pmm = PMm(0x00F0_0000_0206_0300)
            definition.profile = try #require(FeliCaLiteIC.named("FeliCa Lite")).profile
            definition.configurationBlock = BlockData(try Hex.bytes("FFFFFF0007"))
        case .blank: break
        case .issued, .session, .authenticated:
            definition.configurationBlock = BlockData(try Hex.bytes("FE7F00010701020004000800"))
            definition.writeCounter = state == .authenticated ? 1 : 2
        }
        var reader = LiteReader(definition)
        guard state == .session || state == .authenticated else { return reader }
        try reader.begin(challenge: BlockData(try Hex.bytes("07060504030201000F0E0D0C0B0A0908")))
        if state == .authenticated { #expect(try reader.authenticate() == .success) }
        return reader
    }
}
