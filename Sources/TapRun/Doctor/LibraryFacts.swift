import TapDoors
import TapPCSC

/// What is known of the libpcsclite of this machine.
struct LibraryFacts {
    /// Why it cannot be used, or nothing if it can.
    let problem: PCSCLibraryError?
    /// The file, if the loader finds one.
    let file: FileLook?
    /// The version of the package it came with, if a package manager knows.
    let version: String?
    /// Whether it ignores the variable in programs with more rights than their user has, as versions from 2.0 on do.
    let ignoresVariableOfPrivileged: Bool

    init() {
        do {
            let library = try PCSCLibrary()
            problem = nil
            file = withExtendedLifetime(library) { Self.loadedFile }
        } catch {
            problem = error
            file = nil
        }
        version = problem == nil ? Self.packageVersion() : nil
        ignoresVariableOfPrivileged = file?.contains("secure_getenv") ?? false
    }

    /// The file that the loader chose, where the system tells what is loaded.
    ///
    /// Source: proc(5), /proc/PID/maps.
    private static var loadedFile: FileLook? {
        let maps = FileLook("/proc/self/maps")?.bytes(at: 0, count: 1 << 20) ?? []
        let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
        let path = lines.lazy.compactMap { line in line.firstIndex(of: "/").map { line[$0...] } }
            .first { $0.contains("/libpcsclite.so") }
        return path.flatMap { FileLook(String($0)) }
    }

    private static func packageVersion() -> String? {
        let questions = [
            ["dpkg-query", "-W", "-f", "${Version}", "libpcsclite1"],
            ["rpm", "-q", "--queryformat", "%{VERSION}", "pcsc-lite-libs"],
            ["pkg-config", "--modversion", "libpcsclite"],
        ]
        for question in questions {
            let outcome = try? ClientProcess.run(ClientCommand(question), limits: ClientLimits(wall: .seconds(5)))
            guard let outcome, outcome.end == .exit(0) else { continue }
            let version = outcome.standardOutput.text.prefix { !$0.isWhitespace }
            if !version.isEmpty { return String(version) }
        }
        return nil
    }
}
