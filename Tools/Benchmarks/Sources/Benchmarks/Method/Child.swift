import Foundation

/// A program that is told and tells line by line; it ends with the last use of it.
final class Child {
    /// The path of this program.
    static let ownPath = Bundle.main.executablePath ?? CommandLine.arguments[0]

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()
    /// How long a program may work before it tells a line, in milliseconds.
    private static let longestSilence: Int32 = 300_000

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: Its path and its arguments.
    ///   - environment: Variables besides our own.
    init(_ words: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let quiet = ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
        process.environment = ProcessInfo.processInfo.environment.merging(quiet) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Ends a program that does not end by itself.
    func terminate() {
        process.terminate()
    }

    /// Sends a line.
    func tell(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Tells the program to run so many rounds, and waits for the number of nanoseconds they took.
    func time(_ rounds: Int) -> Double {
        tell("\(rounds)")
        guard let nanoseconds = Double(nextLine()) else { fail("\(process.arguments ?? []) tells no time", code: 3) }
        return nanoseconds
    }

    /// Waits for the next line; the end of the program ends this one too, since nothing can be measured then, and so
    /// does one that says nothing for longer than any measurement takes.
    func nextLine() -> String {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread = unread[(end + 1)...] }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var handle = pollfd(
                fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&handle, 1, Self.longestSilence) != 0 else {
                terminate()
                fail("\(process.arguments ?? []) says nothing", code: 3)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { fail("\(process.arguments ?? []) ended too early", code: 3) }
            unread += more
        }
    }
}
