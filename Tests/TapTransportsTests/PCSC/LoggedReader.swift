import TapSystem
import TapField
import TapReaders

/// A ``ScriptedReader`` that logs all calls and has more settings.
struct LoggedReader: PCSCReader {
    var scripted = ScriptedReader()
    /// The result of commands to the reader, by command code.
    var controls: [UInt32: ReaderAnswer] = [:]
    var attributes: [UInt32: [UInt8]] = [:]
    /// A Boolean value that indicates whether the card does not answer a reset.
    var isMute = false
    /// An action that takes place during a command.
    var meanwhile: @Sendable () -> Void = {}
    var log = ReaderLog()

    var name: String { scripted.name }

    func look(in world: inout World) -> SlotContent {
        log.note("look")
        return scripted.look(in: &world)
    }

    mutating func reset(in world: inout World) -> SlotContent {
        log.note("reset")
        return isMute ? .empty : scripted.reset(in: &world)
    }

    mutating func powerDown(in world: inout World) {
        log.note("power down")
        scripted.powerDown(in: &world)
    }

    mutating func transmit(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        log.note("transmit")
        meanwhile()
        return scripted.transmit(command, in: &world)
    }

    mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        log.note("control")
        return controls[code] ?? .unsupported
    }

    func attribute(_ id: UInt32) -> [UInt8]? { attributes[id] }
}

/// The calls to a reader, in order.
///
/// Copies of the reader share a log.
final class ReaderLog: Sendable {
    private let lines = Lock<[String]>([])

    func note(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    /// The lines since the last call.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
