import Foundation

/// A program that answers lines with lines and ends when its last reference is released.
final class Child {
    private let (process, input, output) = (Process(), Pipe(), Pipe())
    private var unread = Data()
    /// The first line.
    private(set) lazy var answer = nextLine()

    static let ownPath = Bundle.main.executablePath ?? CommandLine.arguments[0]

    /// Starts this program, or another one, with variables added to the environment.
    init(_ arguments: [String], of program: String = ownPath, environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Runs rounds in the child and returns the nanoseconds that they took.
    func time(_ rounds: Int) -> Double {
        try? input.fileHandleForWriting.write(contentsOf: Data("\(rounds)\n".utf8))
        guard let nanoseconds = Double(nextLine()) else { fail("\(process.arguments ?? []) prints no time", code: 3) }
        return nanoseconds
    }

    /// Waits for the next line; without one, nothing can be measured, so this program ends.
    func nextLine() -> String {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread = unread[(end + 1)...] }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { fail("\(process.arguments ?? []) ended too early", code: 3) }
            unread += more
        }
    }
}
