import TapSystem
import TapField
import TapReaders

/// A ``ScriptedReader`` that writes down what is done to it, with more that can be set.
struct LoggedReader: PCSCReader {
    var scripted = ScriptedReader()
    /// What becomes of commands to the reader, by their code.
    var controls: [UInt32: ReaderAnswer] = [:]
    var attributes: [UInt32: [UInt8]] = [:]
    /// Whether no card answers a reset.
    var isMute = false
    /// What happens while a command is on its way.
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

/// What was done to a reader, in order; copies of the reader write into the same log.
final class ReaderLog: Sendable {
    private let lines = Lock<[String]>([])

    func note(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    /// The lines since the last time.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
