import TapCards
import TapDocument
import TapRecording
import TapScenario
import TapWire
import TapYAML
import Testing

/// The file written for a session.
@Suite struct `Recording files` {
    /// The recording read back from a session's file.
    private func recording(_ session: RecordedSession) throws -> CardRecording {
        let text = RecordingFile(name: "told", session).text
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader(reader: YAMLReader()).load(
            SourceFile(name: "told.yaml", text: text), into: &diagnostics)
        try #require(!diagnostics.hasErrors, "\(diagnostics.found)\n\(text)")
        return try #require(scenario?.cases.first?.recording?.recording)
    }

    @Test func `replay the frames of a FeliCa card as recorded`() throws {
        let idm = IDm(0x0112_0101_0101_0101)
        var session = RecordedSession(.frame, .felica(idm: idm, pmm: nil, system: .transit))
        let polling: [UInt8] = [0x00, 0x00, 0x03, 0x01, 0x00]
        let answer: [UInt8] = [0x01] + idm.rawValue.bigEndianBytes + [1, 1, 1, 1, 1, 1, 1, 1, 0, 3]
        session.exchanges = [.init(polling, .init(answer)), .init([0x04] + idm.rawValue.bigEndianBytes, nil)]
        session.exchanges[1].took = .milliseconds(3)
        session.hasCardLeft = true
        let found = try recording(session)
        #expect(found.exchanges.map(\.command) == session.exchanges.map { [UInt8($0.command.count + 1)] + $0.command })
        #expect(found.exchanges[0].answer?.bytes == [UInt8(answer.count + 1)] + answer)
        #expect(found.exchanges[1].answer == nil && found.exchanges[1].delay == .milliseconds(3))
        #expect(found.exchanges[1].endsVisit)
    }

    @Test func `contain both visits of a card that returned`() throws {
        let read = RecordedSession.Exchange([0xFF, 0xCA, 0, 0, 0], .init([4, 1, 2, 3, 4, 5, 6, 0x90, 0]))
        var session = RecordedSession(.apdu, .unknown, [read])
        session.add(visit: [read, RecordedSession.Exchange([0xFF, 0xB0, 0, 4, 4], nil)])
        session.hasCardLeft = true
        let found = try recording(session)
        #expect(found.exchanges.map(\.endsVisit) == [true, false, true])
        let text = RecordingFile(name: "told", session).text
        #expect(text.ranges(of: "event: card.removed").count == 2 && text.ranges(of: "event: card.placed").count == 1)
    }

    @Test func `identify a card by the frames inside APDUs, and its family by the ATR`() throws {
        let idm = IDm(0x0112_0101_0101_0101)
        let command: [UInt8] = [0x04] + idm.rawValue.bigEndianBytes
        let length = UInt8(command.count + 1)
        let carried = [0xFF, 0x00, 0x00, 0x00, length + 3, 0xD4, 0x40, 0x01, length] + command
        let answer: [UInt8] = [0xD5, 0x41, 0x00, 11, 0x05] + idm.rawValue.bigEndianBytes + [0, 0x90, 0x00]
        var session = RecordedSession(.apdu, .unknown, [.init(carried, .init(answer))])
        session.findCard()
        #expect(session.card == .felica(idm: idm, pmm: nil, system: nil))
        session = RecordedSession(.apdu, .unknown, [.init([0xFF, 0xB0, 0, 4, 4], nil)])
        session.atr = ContactlessATR(.felica).bytes
        #expect(RecordingFile(name: "told", session).text.contains("ic: RC-S962"))
        _ = try recording(session)
    }
}
