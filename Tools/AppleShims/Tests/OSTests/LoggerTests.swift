import Synchronization
import Testing

@testable import os

/// The output of a logger for messages and formats.
struct LoggerTests {
    private let logger = Logger(subsystem: "example.reader", category: "card")

    @Test func `Each level is named in its line`() {
        let lines = written {
            logger.log("a")
            logger.debug("b")
            logger.info("c")
            logger.warning("d")
            logger.error("e")
            logger.fault("f")
        }
        #expect(
            lines.map { $0.dropFirst("example.reader card ".count) } == [
                "notice: a", "debug: b", "info: c", "error: d", "error: e", "fault: f",
            ])
    }

    @Test func `A value marked private is kept back and one marked public or not at all is written`() {
        let idm = "0123456789ABCDEF"
        let lines = written {
            logger.notice("\(idm) \(idm, privacy: .public) \(idm, privacy: .private) \(idm, privacy: .sensitive)")
        }
        #expect(lines == ["example.reader card notice: \(idm) \(idm) <private> <private>"])
    }

    @Test func `Equal values have equal masks and others have not`() {
        let lines = written {
            for text in ["one", "one", "two"] { logger.log("\(text, privacy: .private(mask: .hash))") }
        }
        #expect(lines[0] == lines[1])
        #expect(lines[0] != lines[2])
        #expect(!lines[0].contains("one"))
    }

    @Test func `Numbers are written in the format and column that was asked for`() {
        let lines = written {
            logger.log("\(255, format: .hex(includePrefix: true, minDigits: 4))|\(7, format: .decimal(minDigits: 2))")
            logger.log("\(1.5, format: .fixed(precision: 2))|\(-3, align: .right(columns: 4))|\(true)")
        }
        #expect(lines.map { $0.dropFirst("example.reader card notice: ".count) } == ["0x00ff|07", "1.50|  -3|true"])
    }

    @Test func `A format of printf is honoured and its annotations are taken out`() {
        let lines = written {
            os_log("status %{public}02X of %d%%, id %{private}d", log: .default, type: .error, 0xA4, 50, 9)
            os_log("two %d %d", 1)
        }
        #expect(lines == ["error: status A4 of 50%, id <private>", "notice: two 1 <missing>"])
    }

    @Test func `An error is written as it describes itself, unless it is private`() {
        struct Refusal: Error {}
        let error: any Error = Refusal()
        let lines = written { logger.error("\(error)|\(error, privacy: .private)|\(Refusal(), privacy: .public)") }
        #expect(lines == ["example.reader card error: Refusal()|<private>|Refusal()"])
    }

    @Test func `A disabled log writes nothing`() {
        #expect(written { Logger(.disabled).error("lost") } == [])
    }

    private func written(_ work: () -> Void) -> [String] {
        let lines = Lines()
        LogOutput.$current.withValue(LogOutput { lines.add($0) }) { work() }
        return lines.all
    }
}

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}
