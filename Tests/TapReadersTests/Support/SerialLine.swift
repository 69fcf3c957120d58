import TapField
import TapReaders
import TapWire
import TestSupport

/// The serial line of a chip connected to a world, as its transport connects them.
struct SerialLine {
    var core = PN532Line()
    var chip = PN532()
    var world = World(seed: 1)
    /// The time to wait for an open command; `nil` if no command is open or it has no limit.
    private(set) var limit: Duration?

    /// Sends bytes to the chip and returns its answer.
    mutating func send(_ bytes: [UInt8]) -> [UInt8] {
        core.receive(bytes[...])
        return answers()
    }

    /// Sends a packet in a frame and returns the answer: `ack`, `nack` and packets.
    mutating func send(packet: String) throws -> [String] {
        PN532Frame.texts(send(PN532Frame.information(try Hex.bytes(packet)).bytes))
    }

    /// Lets the chip look again and returns its answer.
    mutating func rescan() -> [String] {
        core.rescan()
        return PN532Frame.texts(answers())
    }

    /// Lets an open command time out and returns the chip's answer.
    mutating func giveUp() -> [String] {
        core.giveUp()
        return PN532Frame.texts(answers())
    }

    private mutating func answers() -> [UInt8] {
        var sent: [UInt8] = []
        while let action = core.next() {
            switch action {
            case .send(let frame): frame.append(to: &sent)
            case .carry(let command): core.finish(chip.answer(command, in: &world))
            case .wait(let limit): self.limit = limit
            }
        }
        return sent
    }
}
