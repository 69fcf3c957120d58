import Foundation
import TapPCSC

/// The installed libpcsclite, bound to a single service.
///
/// The library reads `PCSCLITE_CSOCK_NAME` once and keeps it until it is unloaded.
///
/// Tests that use several services in one process get a copy of the file for each, which the loader treats as another library.
public enum PrivatePCSCLibrary {
    /// The reason why the library could not be copied.
    public struct NotFound: Error {}

    private static let variable = "PCSCLITE_CSOCK_NAME"
    private static let lock = NSLock()

    /// Opens a copy of the library that uses one service as long as it is open.
    ///
    /// - Parameter socket: The path of the service's socket, on which the service must be listening.
    /// - Throws: Any error on the way.
    public static func open(socket: String) throws -> PCSCLibrary {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("tapsim-\(UUID().uuidString).so")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: installed.get()), to: copy)
        // An open file remains usable without its name.
        defer { try? FileManager.default.removeItem(at: copy) }
        let library = try PCSCLibrary(path: copy.path)
        try lock.withLock {
            // The variable is replaced and restored in place, so threads that read the environment meanwhile are not disturbed.
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
        // The file reports a size of zero, so it is read to its end.
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
