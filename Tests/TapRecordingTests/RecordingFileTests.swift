import TapCards
import TapDocument
import TapRecording
import TapScenario
import TapWire
import TapYAML
import Testing

/// What is written of a session.
@Suite struct `Recording files` {
    /// The recording that a file of a session is read as.
    private func recording(_ session: RecordedSession) throws -> CardRecording {
        let text = RecordingFile(name: "told", session).text
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader(reader: YAMLReader()).load(
            SourceFile(name: "told.yaml", text: text), into: &diagnostics)
        try #require(!diagnostics.hasErrors, "\(diagnostics.found)\n\(text)")
        return try #require(scenario?.cases.first?.recording?.recording)
    }

    @Test func `frames of a FeliCa card are replayed as they were heard`() throws {
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
        #expect(found.exchanges[1].isLast)
    }
}
