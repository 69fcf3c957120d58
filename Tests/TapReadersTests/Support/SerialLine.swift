import TapField
import TapReaders
import TapWire
import TestSupport

/// The serial line of a chip joined to a world, as its transport joins them.
struct SerialLine {
    var core = PN532Line()
    var chip = PN532()
    var world = World(seed: 1)
    /// How long an open command is waited for; nothing where none is open or it stays for ever.
    private(set) var limit: Duration?

    /// Sends bytes to the chip and gives what comes back.
    mutating func send(_ bytes: [UInt8]) -> [UInt8] {
        core.receive(bytes[...])
        return answers()
    }

    /// Sends the frame of a packet and gives what comes back: `ack`, `nack` and packets.
    mutating func send(packet: String) throws -> [String] {
        PN532Frame.texts(send(PN532Frame.information(try Hex.bytes(packet)).bytes))
    }

    /// Lets the chip look again and gives what comes of it.
    mutating func lookAgain() -> [String] {
        core.lookAgain()
        return PN532Frame.texts(answers())
    }

    /// Lets the time of an open command be over and gives what comes of it.
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
