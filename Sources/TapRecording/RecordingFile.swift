import TapCards
import TapDocument
import TapReaders
import TapScenario
import TapWire

/// The scenario that replays a session.
public struct RecordingFile: Sendable {
    private static let card = "card"

    public let name: String
    public let session: RecordedSession
    /// The comments at the beginning of the file, a line each.
    public var comments: [String] = []

    public init(name: String, _ session: RecordedSession) {
        self.name = name
        self.session = session
    }

    public var text: String {
        DocumentFormatter.text(of: document, comments: comments, table: ScenarioLoader.table)
    }

    public var document: Node {
        .map([
            "format": 1, "scenario": .text(name), "tags": ["replay"],
            "cards": .map([(Self.card, definition)]), "reader": reader,
            "client": session.client.map { ["run": .list($0.map(Node.text))] },
            "recording": .map([
                "level": .text(session.level.rawValue), "atr": session.atr.map(Self.hex),
                "vars": variables.isEmpty ? nil : .map(variables.map { ($0.name, Self.hex($0.bytes)) }),
                "exchanges": .list(exchanges),
            ]),
        ])
    }

    private var exchanges: [Node] {
        let last = session.exchanges.count - 1
        return session.exchanges.enumerated().flatMap { index, exchange -> [Node] in
            let placed: [Node] = index < last ? [["event": "card.placed"]] : []
            return [node(exchange)] + (exchange.endsVisit ? [["event": "card.removed"]] + placed : [])
        }
    }

    /// The card as the reader of a replay finds it; the recording has the rest.
    private var definition: Node {
        switch session.card {
        case .felica(let idm, let pmm, let system):
            let ic = pmm.flatMap { FeliCaIC.coded($0.icType, romType: $0.romType) }
            // The IDm contains the number of the system, so if it is not the first, place unused systems before it.
            let others = (0..<idm.systemNumber).map { Self.unusedSystem.rawValue - UInt16($0) }
            let systems = (others + [(system ?? Self.usualSystem).rawValue]).map { code in
                (key: Hex.digits(code, width: 4), value: Node.map([]))
            }
            return .map([
                "ic": .text(ic?.name ?? Self.usualIC), "idm": Self.hex(idm.ofSystem(0).rawValue.bigEndianBytes),
                "pmm": pmm.map { Self.hex($0.rawValue.bigEndianBytes) }, "systems": .map(systems),
            ])
        case .typeA(let uid):
            return .map(["ic": "NTAG215", "uid": uid.bytes.count == Self.uidLength ? Self.hex(uid.bytes) : nil])
        case .unknown where isFeliCaByATR:
            return .map([
                "ic": .text(Self.usualIC),
                "systems": .map([(Hex.digits(Self.usualSystem.rawValue, width: 4), .map([]))]),
            ])
        case .unknown: return ["ic": "NTAG215"]
        }
    }

    private var isFeliCaByATR: Bool {
        (session.atr.flatMap { try? ContactlessATR(parsing: $0) })?.isFeliCa ?? false
    }

    /// The IC of a card whose PMm is unknown or not in the catalogue.
    static let usualIC = "RC-S962"
    /// The system of a card that was only identified by its IDm; a Polling for any system finds it.
    private static let usualSystem = SystemCode.transit
    /// The code of a system that no reader asks for; the codes below it are also unused.
    private static let unusedSystem = SystemCode(0x00EF)
    /// The length of the UID of an NTAG, in bytes.
    private static let uidLength = 7

    /// The reader with the name that the program saw.
    private var reader: Node? {
        guard let name = session.readerName?.withoutSlotNumbers, ReaderSpec.isName(name) else { return nil }
        let model = ReaderModel.allCases.first { $0.name == name }
        guard let model else { return ["model": .text(ReaderModel.default.rawValue), "name": .text(name)] }
        return .text(model.rawValue)
    }

    private func node(_ exchange: RecordedSession.Exchange) -> Node {
        .map([
            "t": exchange.time.map { .text(Self.seconds($0)) },
            "control": exchange.controlCode.map { .text(Hex.digits($0, width: 8)) },
            "cmd": .text(text(exchange.command)), "rsp": exchange.answer.map { .text(text($0)) },
            "silence": exchange.answer == nil ? .boolean(true) : nil,
            "took": exchange.took.map { .text(DurationText.of(.microseconds($0.wholeNanoseconds / 1_000))) },
            "note": exchange.note.map(Node.text),
        ])
    }

    private func text(_ answer: CardRecording.Answer) -> String {
        answer.bitCount == Acknowledgement.bitCount ? Hex.digits(answer.bytes[0], width: 1) : text(answer.bytes)
    }

    /// Bytes in hexadecimal, with variables in place of the bytes they stand for.
    private func text(_ bytes: [UInt8]) -> String {
        var rest = bytes[...]
        var parts: [String] = []
        var plain: [UInt8] = []
        while let byte = rest.first {
            if let variable = variables.first(where: { rest.starts(with: $0.bytes) }) {
                if !plain.isEmpty { parts.append(Hex.text(plain, separator: " ")) }
                parts.append("{\(variable.name)}")
                plain = []
                rest = rest.dropFirst(variable.bytes.count)
            } else {
                plain.append(byte)
                rest = rest.dropFirst()
            }
        }
        if !plain.isEmpty { parts.append(Hex.text(plain, separator: " ")) }
        return parts.joined(separator: " ")
    }

    private var variables: [(name: String, bytes: [UInt8])] {
        switch session.card {
        case .felica(let idm, _, _): [("idm", idm.rawValue.bigEndianBytes)]
        case .typeA(let uid): [("uid", uid.bytes)]
        case .unknown: []
        }
    }

    private static func hex(_ bytes: [UInt8]) -> Node { .text(Hex.text(bytes, separator: " ")) }

    /// Seconds with three decimals.
    private static func seconds(_ time: Duration) -> String {
        let milliseconds = time.wholeNanoseconds / 1_000_000
        let fraction = "\(milliseconds % 1_000)"
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}

extension String {
    /// The name of a reader without the two numbers that a PC/SC service appends: for the reader and for the slot.
    fileprivate var withoutSlotNumbers: String {
        let words = split(separator: " ")
        let isNumber = { (word: Substring) in word.count == 2 && word.allSatisfy(\.isHexDigit) }
        guard words.count > 2, words.suffix(2).allSatisfy(isNumber) else { return self }
        return words.dropLast(2).joined(separator: " ")
    }
}
