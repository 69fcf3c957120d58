import Floor
import Foundation

/// Servers in plain C that send the same answer to everything, for as long as this process runs.
enum FloorServer {
    /// Serves clients of a Unix socket or, if the path is empty, of a port, and returns the address.
    static func listen(_ kind: floor_protocol, at path: String, answer: [UInt8]) -> String {
        var port: UInt16 = 0
        start(kind, unsafe floor_socket(path, &port, true), answer: answer)
        return path.isEmpty ? "tcp:\(port)" : path
    }

    /// Serves a PN532 at a terminal and returns its path.
    static func openTerminal(answer: [UInt8]) -> String {
        var path = [CChar](repeating: 0, count: 128)
        start(FLOOR_PN532, unsafe floor_terminal(&path, path.count), answer: answer)
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Serves a slot of pcscd.
    static func connect(toPort port: UInt16, atr: [UInt8], answer: [UInt8]) {
        var port = port
        let framed = [atr, answer].map { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
        start(FLOOR_VPCD, unsafe floor_socket("", &port, false), atr: framed[0], answer: framed[1])
    }

    private static func start(_ kind: floor_protocol, _ descriptor: Int32, atr: [UInt8] = [], answer: [UInt8]) {
        guard descriptor >= 0 else { fail("cannot open the channel of a server in C: errno \(errno)", code: 3) }
        Thread.detachNewThread { unsafe floor_serve(kind, descriptor, atr, atr.count, answer, answer.count) }
    }
}
