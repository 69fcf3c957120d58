import Foundation
import TapHost
import TapSystem
import TapField

/// The C program that makes the PC/SC calls of a table and prints their results.
enum CallTable {
    /// The reason why there is no log.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder of the program, the table and the list of differences.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Clients/pcsc_calls").standardized

    /// The program, compiled once for all tests against the headers of libpcsclite-dev.
    private static let program = Result { () throws -> String in
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent("pcsc_calls").path
        // Renamed once complete, since another test run may be using the program.
        let command = """
            cc -std=gnu11 -O1 -Wall -Wextra -Werror $(pkg-config --cflags libpcsclite) '\(folder.path)'/*.c \
            -o '\(path).new' $(pkg-config --libs libpcsclite) && mv '\(path).new' '\(path)'
            """
        let outcome = try ClientProcess.run(ClientCommand(["/bin/sh", "-c", command]), limits: ClientLimits())
        guard outcome.end == .exit(0) else { throw Failure(description: outcome.standardError.text) }
        return path
    }

    /// The sequences of the shipped table, each starting with its title.
    static func sequences() throws -> [String] {
        let text = try String(contentsOf: folder.appendingPathComponent("calls.txt"), encoding: .utf8)
        let parts = text.components(separatedBy: "\n== ").dropFirst()
        return parts.map { "== \($0)\n" }
    }

    /// Makes the calls of a table.
    ///
    /// - Parameters:
    ///   - table: The calls, in the language that `main.c` describes.
    ///   - reader: The reader's full name.
    ///   - socket: The path on which the service listens.
    ///   - host: The field of the program's cards.
    /// - Returns: The lines it printed.
    static func run(_ table: String, reader: String, socket: String, host: FieldHost) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tapsim-calls-\(UUID().uuidString)")
        try Data(table.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (process, input, output, error) = (Process(), Pipe(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: try program.get())
        process.arguments = [reader, file.path]
        process.environment = ["PCSCLITE_CSOCK_NAME": socket]
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, error)
        try process.run()
        var lines: [String] = []
        var rest = Data()
        while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
            rest.append(data)
            while let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest = Data(rest[(end + 1)...])
                guard line.hasPrefix("@") else {
                    lines.append(line)
                    continue
                }
                move(line.dropFirst(), in: host)
                try input.fileHandleForWriting.write(contentsOf: Data("done\n".utf8))
            }
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            throw Failure(description: "\(text) after \(lines.suffix(3))")
        }
        return lines
    }

    /// Carries out a request of the program: `tap CARD`, `remove CARD` or `swap CARD CARD`.
    private static func move(_ request: Substring, in host: FieldHost) {
        let words = request.split(separator: " ").map(String.init)
        host.perform { world in
            if words[0] != "tap" { world.remove(words[1]) }
            if words[0] != "remove" { world.tap(words.last ?? "") }
        }
    }
}
