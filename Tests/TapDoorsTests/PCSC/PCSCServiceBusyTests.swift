import TapWire
import Testing

@testable import TapDoors

/// A reader may take its time, with the pace of the card, and keeps nobody but its users waiting.
@Suite(.timeLimit(.minutes(2))) struct `While a reader works` {
    /// Lets a reader work until the test has seen enough.
    private final class Gate: Sendable {
        private let isOpen = Condition(false)

        func pass() { isOpen.waitUntilDone { $0 ? .done(()) : .wait(until: nil) } }

        func open() {
            isOpen.withLock { isOpen in
                isOpen = true
                self.isOpen.wakeAll()
            }
        }
    }

    @Test func `others list, connect, ask for the state, wait and cancel`() throws {
        let gate = Gate()
        let field = try ServiceField(meanwhile: { gate.pass() })
        defer { gate.open() }
        let (busy, other) = (try RawClient(field.door), try RawClient(field.door))
        let (first, second) = (try busy.connect().card, try other.connect().card)
        let command: [UInt8] = [0xFF, 0xCA, 0, 0, 0]
        let request = TransmitMessage(card: first, sendLength: command.count, receiveLength: 258)
        busy.send(ServiceRequest.transmit(request, command).bytes)
        rest(while: !field.log.take().contains("transmit"))
        #expect(try other.states().count == 1)
        #expect(try other.status(second) == .success)
        _ = try other.states(.waitForChange)
        let third = try RawClient(field.door)
        let cancel = ContextMessage(context: other.context)
        #expect(try third.ask(.cancel(cancel), ContextMessage.self).result == .success)
        #expect(try other.receive(8) == CountMessage(.cancelled).bytes)
        #expect(try third.connect().result == .success)
        #expect(try other.begin(second) == .success)
        #expect(try other.end(second) == .success)
        #expect(busy.isQuiet())
        gate.open()
        #expect(try busy.receive(TransmitMessage.size + 3).suffix(3) == [0, 0x90, 0x00])
    }
}
