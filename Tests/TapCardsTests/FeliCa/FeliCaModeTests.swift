import TapCards
import TapWire
import TestSupport
import Testing

/// One line of `felica-modes.txt`, in one mode.
struct ModeCase: Sendable, CustomTestStringConvertible {
    let mode: FeliCaMode
    let isAnswered: Bool
    let packet: String
    let command: String

    var testDescription: String { "\(command) in Mode\(mode.rawValue)" }

    static let all: [ModeCase] = VectorFile.lines("felica-modes.txt").flatMap { line in
        let halves = line.split(separator: ";")
        let words = halves[0].split(separator: " ", maxSplits: 1)
        return FeliCaMode.allCases.map { mode in
            ModeCase(
                mode: mode, isAnswered: words[0].contains("\(mode.rawValue)"), packet: compact(String(words[1])),
                command: halves[1].trimmingPrefix(" ").description)
        }
    }
}

@Suite struct `FeliCa modes and commands` {
    static let card: FeliCaCard = {
        var definition = CardM.definition
        definition.systems.append(FeliCaSystemDefinition(code: .commonArea, areas: [.root()], services: []))
        do { return try FeliCaCard(definition) } catch { fatalError("\(error)") }
    }()

    @Test(arguments: ModeCase.all)
    func `a command is answered only in its modes`(_ modeCase: ModeCase) throws {
        var card = Self.card
        card.mode = modeCase.mode
        let before = card
        let answer = try card.answer(hex: modeCase.packet)
        #expect((answer != "-") == modeCase.isAnswered)
        if !modeCase.isAnswered { #expect(card == before) }
    }

    @Test(arguments: FeliCaMode.allCases)
    func `odd and unlisted codes are not answered in any mode`(_ mode: FeliCaMode) throws {
        var card = Self.card
        card.mode = mode
        let before = card
        let known = Set(CardM.profile.supportedCommands.codes.map(\.first))
        for code in UInt8.min...UInt8.max where !known.contains(code) {
            let body = Hex.digits(code, width: 2) + "0102030405060708"
            for tail in ["", "0000", "010000", "01490001 8000"] {
                let length = 1 + (body.count + compact(tail).count) / 2
                #expect(try card.answer(hex: Hex.digits(length, width: 2) + body + tail) == "-")
            }
        }
        #expect(card == before)
    }

    @Test(arguments: CardM.profile.supportedCommands.codes)
    func `a chip that lacks a command does not answer it`(_ code: CommandCode) throws {
        var definition = Self.card.template.definition
        definition.profile.supportedCommands = definition.profile.supportedCommands.subtracting([code])
        var card = try FeliCaCard(definition)
        for modeCase in ModeCase.all where modeCase.packet.dropFirst(2).hasPrefix(code.description) {
            #expect(try card.answer(hex: modeCase.packet) == "-")
        }
    }

    @Test func `option commands can be limited to Mode0`() throws {
        var definition = Self.card.template.definition
        try definition.profile.set("modeOfOptionCommands", to: "mode0")
        var card = try FeliCaCard(definition)
        card.mode = .mode2
        #expect(try card.answer(hex: "04700000") == "-")
        #expect(try card.answer(hex: "06F000A1B2C3") == "-")
        #expect(try card.answer(hex: "0C380102030405060708 0000") != "-")
    }

    @Test func `Reset Mode switches to Mode0`() throws {
        var card = Self.card
        card.mode = .mode3
        #expect(try card.answer(hex: "0C3E0102030405060708 0000") == compact("0C3F 0102030405060708 0000"))
        #expect(card.mode == .mode0)
    }

    @Test(arguments: ["0600FE000000", "0A041102030405060708"])
    func `selecting another system switches to Mode0 and ends the session`(_ packet: String) throws {
        var card = Self.card
        card.mode = .mode2
        #expect(card.stateName == "Mode2 of system 0003")
        #expect(try card.answer(hex: packet) != "-")
        #expect(card.stateName == "Mode0 of system FE00")
        #expect(try card.answer(hex: "0A040102030405060708") == compact("0B05 0102030405060708 00"))
        #expect(card.stateName == "Mode0 of system 0003")
    }

    @Test(arguments: [
        "0C041102030405060708", "0A7E1102030405060708", "0D02110203040506070802FFFF", "0C3E11020304050607080001",
        "0B0211020304050607 0800", "0A051102030405060708",
    ])
    func `a malformed or unknown packet does not switch systems`(_ packet: String) throws {
        var card = Self.card
        card.mode = .mode1
        let before = card
        #expect(try card.answer(hex: packet) == "-")
        #expect(card == before)
    }

    @Test func `power-off ends sessions and selects system 0`() throws {
        var card = Self.card
        #expect(try card.answer(hex: "0600FE000000") != "-")
        card.mode = .mode1
        card.fieldFell()
        card.fieldRose()
        #expect(card.stateName == "Mode0 of system 0003")
        #expect(card.hasSameMemory(as: Self.card))
    }
}
