import TapPCSC
import TapWire

// Not Foundation, which takes most of such a short program's run time to load.
#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A reader of transit cards over the transparent session of PC/SC part 3: prints the newest trips as JSON.
///
/// usage: ZooClient MISTAKE IDM
///
/// MISTAKE is the raw value of a ``Mistake``, IDM is the IDm of the card to read. With a mistake the client reads once, as most
/// programs do; the correct client reads until two readings agree.
@main
enum ZooClient {
    private static let attempts = 3
    private static let patience = Duration.milliseconds(100)

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 2, let mistake = Mistake(rawValue: words[1]), let number = UInt64(words[2], radix: 16)
        else {
            end("usage: ZooClient MISTAKE IDM", code: 2)
        }
        var problem = "nothing was tried"
        for _ in 0..<attempts {
            do {
                print(try read(IDm(number), mistake).json)
                return
            } catch {
                problem = "\(error)"
            }
        }
        end(problem, code: 1)
    }

    private static func end(_ text: String, code: Int32) -> Never {
        let line = Array("\(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
        exit(code)
    }

    /// Reads the card once, and again in the correct client.
    private static func read(_ idm: IDm, _ mistake: Mistake) throws -> History {
        let context = try PCSCContext(PCSCLibrary())
        defer { context.close() }
        guard let reader = try context.readers().first else { throw Unreadable("there is no reader") }
        try waitForCard(on: reader, context)
        let card = try context.connect(reader)
        defer { card.disconnect(.leave) }
        try card.beginTransaction()
        defer { try? card.endTransaction(.leave) }
        let session = CardSession(card, mistake)
        let history = try session.history(of: idm)
        guard mistake == .none, try session.history(of: idm) != history else { return history }
        throw Unreadable("two readings of the card differ")
    }

    private static func waitForCard(on reader: String, _ context: PCSCContext) throws {
        var states = [ReaderStatus(name: reader)]
        for _ in 0..<8 {
            guard try context.awaitChange(of: &states, timeout: patience) else { break }
            if states[0].hasCard { return }
        }
        throw Unreadable("no card lies on the reader")
    }
}

/// The mistake of the client.
enum Mistake: String {
    /// No mistake.
    case none = "correct"
    /// Trusts the first reading.
    case readsOnce = "reads-once"
    /// Slices the blocks out of the answer without checking its length.
    case slicesAnswer = "slices-answer"
    /// Assumes that every exchange of the session has an answer.
    case unwrapsAnswer = "unwraps-answer"
    /// Computes fares with the unsigned numbers of the card.
    case subtractsBalances = "subtracts-balances"
    /// Assumes that it knows every kind of record.
    case knowsEveryKind = "knows-every-kind"
    /// Ignores errors.
    case triesOptionally = "tries-optionally"
}

/// An error that prevents reading a card.
struct Unreadable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
