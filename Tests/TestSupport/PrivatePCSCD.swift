import Foundation

/// The installed pcscd with its own vpcd readers for a single test.
///
/// It ends with the test or the test process.
public final class PrivatePCSCD {
    /// A reader as pcscd names it, and the address that its card connects to.
    public struct Reader: Decodable, Hashable, Sendable {
        /// The full name: the name of the entry followed by ` 00 00`.
        public let name: String
        /// The port on the loopback address.
        public let port: UInt16
    }

    /// The reason why pcscd did not start; the launcher has printed more to standard error.
    public struct StartError: Error {}

    private struct Ready: Decodable {
        let socket: String
        let readers: [Reader]
        let log: String
    }

    private let launcher = Process()
    private let commands = Pipe()
    private let answers = Pipe()
    /// The value of `PCSCLITE_CSOCK_NAME` for clients.
    public private(set) var socket = ""
    /// The readers, in the order of the given names.
    public private(set) var readers: [Reader] = []
    /// The path of the log.
    public private(set) var log = ""

    /// Starts pcscd.
    ///
    /// - Parameters:
    ///   - names: The names of the readers, without the numbers that pcscd appends.
    ///   - user: The user to run as; `nil` for the current user.
    ///   - logsAPDUs: A Boolean value that indicates whether the log contains the APDUs of programs.
    /// - Throws: ``StartError``.
    public init(readers names: [String], user: String? = nil, logsAPDUs: Bool = false) throws {
        // If the launcher is dead, our write must fail instead of ending this process.
        signal(SIGPIPE, SIG_IGN)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Tools/lib/private_pcscd.py").standardized.path
        launcher.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        launcher.arguments =
            ["python3", script] + (user.map { ["--user", $0] } ?? []) + (logsAPDUs ? ["--apdu"] : []) + names
        // A process that another test starts meanwhile, and that outlives this test, would keep the launcher running.
        for pipe in [commands, answers] {
            for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        launcher.standardInput = commands
        launcher.standardOutput = answers
        try launcher.run()
        guard let ready = try? JSONDecoder().decode(Ready.self, from: Data(nextLine().utf8)) else {
            throw StartError()
        }
        (socket, readers, log) = (ready.socket, ready.readers, ready.log)
    }

    deinit {
        try? commands.fileHandleForWriting.close()
        launcher.waitUntilExit()
    }

    /// Ends pcscd as in a crash; its socket and ports stay reserved for ``start()``.
    public func stop() throws { try order("stop") }

    /// Starts pcscd again.
    public func start() throws { try order("start") }

    private func order(_ word: String) throws {
        try commands.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
        guard nextLine() == word else { throw StartError() }
    }

    /// The next line of the launcher without its line end; empty if there is none.
    private func nextLine() -> String {
        var line = Data()
        while let byte = try? answers.fileHandleForReading.read(upToCount: 1), let first = byte.first, first != 0x0A {
            line.append(first)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
