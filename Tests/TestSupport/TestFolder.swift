import Foundation

/// The folder of this test process for files of its tests; it goes away with the process.
///
/// Where a process is killed before that, the next one removes its folder.
public enum TestFolder {
    private static let prefix = "tapsim-tests-"

    private static let process: URL = {
        let parent = FileManager.default.temporaryDirectory
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
            guard name.hasPrefix(prefix), let number = pid_t(name.dropFirst(prefix.count)) else { continue }
            if kill(number, 0) != 0 { try? FileManager.default.removeItem(at: parent.appendingPathComponent(name)) }
        }
        let folder = parent.appendingPathComponent("\(prefix)\(getpid())")
        atexit { try? FileManager.default.removeItem(at: TestFolder.process) }
        return folder
    }()

    /// Makes an empty folder.
    ///
    /// - Parameter prefix: How its name begins.
    public static func make(_ prefix: String = "") throws -> URL {
        let folder = process.appendingPathComponent(prefix + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
