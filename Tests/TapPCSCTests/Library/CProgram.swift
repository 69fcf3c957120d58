import Foundation
import Testing

/// A C program against libpcsclite, compiled and run by a test.
enum CProgram {
    /// Compiles a source text, runs it and gives what it prints.
    static func run(_ source: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapsim-c-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("program.c")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let flags = try output(of: "pkg-config", ["--cflags", "--libs", "libpcsclite"])
            .split(whereSeparator: \.isWhitespace).map(String.init)
        let binary = folder.appendingPathComponent("program").path
        _ = try output(of: "cc", ["-o", binary, file.path] + flags)
        return try output(of: binary, [])
    }

    /// Runs a program of the search path and gives what it prints.
    private static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) ended with \(process.terminationStatus)")
        return String(decoding: data, as: UTF8.self)
    }
}
