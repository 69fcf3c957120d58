import Foundation
import TapDocument
import TapSystem
import TestSupport

/// The built command, run from the top of the checkout for tests of process features: signals, streams, permissions,
/// transports, clients.
enum TapSimProgram {
    /// The top of the checkout.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static let path = alongside("tapsim")

    /// Returns the path of a program built next to the tests.
    static func alongside(_ name: String) -> String {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// The Python of the virtual environment that Tools/test creates.
    static var python: String {
        ProcessEnvironment["TAPSIM_TEST_PYTHON"] ?? "\(root)/.venv/bin/python"
    }

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of `tapsim`.
    ///   - input: Its standard input.
    ///   - environment: Additional environment variables.
    ///   - redirection: Redirections of its streams, in shell syntax.
    ///   - program: A program to run instead of the command.
    ///   - folder: The working directory.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], redirection: String = "",
        program: String = path, in folder: String = root
    ) throws -> CommandOutcome {
        let words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\" \(redirection)", folder, program] + arguments
        return CommandOutcome(
            try ClientProcess.run(
                ClientCommand(words, environment: quiet.merging(environment) { $1 }, input: Array(input.utf8)),
                limits: ClientLimits(wall: .seconds(120), outputBytes: 8 << 20)))
    }

    static let quiet = ["SWIFT_BACKTRACE": "enable=no", "GITHUB_ACTIONS": ""]

    /// Writes a file for one test and returns its path.
    static func file(_ name: String, _ text: String) throws -> String {
        let file = try TestFolder.make().appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Creates a folder in which paths relative to the checkout work, and in which other tests save no runs, which could
    /// remove files that a test still needs.
    static func folderOfRuns() throws -> String {
        let folder = try TestFolder.make().path
        for name in ["Scenarios", "Tests"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name)", withDestinationPath: "\(root)/\(name)")
        }
        return folder
    }

    /// Returns the sorted names of the files below a folder of the checkout with a given ending.
    static func files(below folder: String, endingIn suffix: String) -> [String] {
        let enumerator = FileManager.default.enumerator(atPath: "\(root)/\(folder)")
        let names = (enumerator?.allObjects as? [String]) ?? []
        return names.filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
    }

    /// Reads a file, relative to the checkout or another folder.
    static func text(of path: String, in folder: String = root) throws -> String {
        try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }
}

extension CommandOutcome {
    init(_ outcome: ClientOutcome) {
        self.init(
            end: outcome.end, standardOutput: outcome.standardOutput.bytes, standardError: outcome.standardError.bytes)
    }
}
