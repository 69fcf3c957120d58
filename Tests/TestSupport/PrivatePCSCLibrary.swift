import Foundation
import TapPCSC

/// The installed libpcsclite, bound to one service.
///
/// The library reads `PCSCLITE_CSOCK_NAME` once and keeps it until it is unloaded. For tests that have several services
/// in one process each gets a copy of the file, which the loader takes for another library.
public enum PrivatePCSCLibrary {
    /// Why the library could not be copied.
    public struct NotFound: Error {}

    private static let variable = "PCSCLITE_CSOCK_NAME"
    private static let lock = NSLock()

    /// Opens a copy of the library that reaches one service for as long as it is open.
    ///
    /// - Parameter socket: The path of the socket of the service, which must be listening.
    /// - Throws: What goes wrong on the way.
    public static func open(socket: String) throws -> PCSCLibrary {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("tapsim-\(UUID().uuidString).so")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: installed.get()), to: copy)
        // What is open stays open without its name.
        defer { try? FileManager.default.removeItem(at: copy) }
        let library = try PCSCLibrary(path: copy.path)
        try lock.withLock {
            // The variable is replaced and put back in its place: threads that read the environment meanwhile read on.
            let usual = ProcessInfo.processInfo.environment[variable] ?? "/nonexistent"
            unsafe setenv(variable, socket, 1)
            defer { unsafe setenv(variable, usual, 1) }
            try PCSCContext(library).close()
        }
        return library
    }

    /// The file of the library, as the loader finds it.
    private static let installed = Result<String, any Error> {
        let library = try PCSCLibrary()
        defer { withExtendedLifetime(library) {} }
        // The file says that it is empty, so it is read to its end.
        let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd() ?? Data()
        guard
            let line = String(decoding: maps, as: UTF8.self).split(separator: "\n").first(where: {
                $0.contains("libpcsclite")
            }),
            let start = line.firstIndex(of: "/")
        else { throw NotFound() }
        return String(line[start...])
    }
}
