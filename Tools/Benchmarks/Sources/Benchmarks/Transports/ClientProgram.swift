import Floor
import Foundation
import TapPCSC
import TapWire

/// A client in a separate process, since pcsc-lite knows one service per process.
///
/// It prints the answer to its command, then, for every number that it reads, the nanoseconds that this many repetitions took.
enum ClientProgram {
    /// Starts a client of pcsc-lite.
    static func pcsc(_ command: [UInt8], to reader: String, at socket: String) throws -> Child {
        try Child(["--client", "pcsc", reader, Hex.text(command)], environment: ["PCSCLITE_CSOCK_NAME": socket])
    }

    /// Starts a client of a socket or a terminal that sends messages in order and repeats the last one.
    static func stream(_ address: String, _ messages: [[UInt8]]) throws -> Child {
        try Child(["--client", "stream", address] + messages.map { Hex.text($0) })
    }

    static func run(_ words: [String]) throws {
        let messages = try words.dropFirst(2).map { try Hex.bytes($0) }
        let last = messages[messages.count - 1]
        if words[0] == "pcsc" {
            let card = try connect(to: words[1], in: PCSCContext(PCSCLibrary()))
            return try serve { try card.transmit(last) }
        }
        let stream = descriptor(words[1])
        var room = [UInt8](repeating: 0, count: 1 << 14)
        for message in messages.dropLast() { _ = ask(stream, message, &room) }
        serve { ask(stream, last, &room) }
    }

    private static func serve(_ ask: () throws -> [UInt8]) rethrows {
        tell(Hex.text(try ask()))
        while let rounds = readLine().flatMap({ Int($0) }) {
            let start = nanoseconds(CLOCK_MONOTONIC)
            for _ in 0..<rounds { _ = try ask() }
            tell("\(nanoseconds(CLOCK_MONOTONIC) - start)")
        }
    }

    /// Connects within ten seconds: pcscd looks for cards only now and then.
    private static func connect(to reader: String, in context: PCSCContext) throws -> PCSCCard {
        for _ in 0..<200 {
            if let card = try? context.connect(reader) { return card }
            usleep(50_000)
        }
        return try context.connect(reader)
    }

    private static func descriptor(_ address: String) -> Int32 {
        var port = address.hasPrefix("tcp:") ? UInt16(address.dropFirst(4)) ?? 0 : 0
        let descriptor =
            unsafe address.hasPrefix("/dev/")
            ? open(address, O_RDWR | O_NOCTTY) : floor_socket(port > 0 ? "" : address, &port, false)
        guard descriptor >= 0 else { fail("cannot open \(address)", code: 3) }
        return descriptor
    }

    /// Sends a message and waits for a line, or for an acknowledgement and a frame of a PN532.
    private static func ask(_ stream: Int32, _ message: [UInt8], _ room: inout [UInt8]) -> [UInt8] {
        guard unsafe write(stream, message, message.count) == message.count else { fail("the server is gone", code: 3) }
        var count = 0
        repeat {
            let received = unsafe room.withUnsafeMutableBytes {
                unsafe read(stream, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            guard received > 0 else { fail("the server is gone", code: 3) }
            count += received
        } while room[count - 1] != 0x0A && (count < 13 || room[0] != 0 || count < 13 + Int(room[9]))
        return Array(room[..<count])
    }
}
