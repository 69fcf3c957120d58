import Foundation

/// The folder of this test process for temporary test files; it is removed with the process.
///
/// If a process is killed before that, the next test process removes its folder.
public enum TestFolder {
    private static let prefix = "tapsim-tests-"
    /// Twelve digits and a hyphen.
    private static let nameLength = 13

    private static let process: URL = {
        let parent = FileManager.default.temporaryDirectory
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
            guard name.hasPrefix(prefix), let number = pid_t(name.dropFirst(prefix.count)) else { continue }
            let left = parent.appendingPathComponent(name)
            guard kill(number, 0) != 0, let mark = mark(of: left),
                (try? String(contentsOf: left.appendingPathComponent(markName), encoding: .utf8)) == mark
            else { continue }
            try? FileManager.default.removeItem(at: left)
        }
        let folder = parent.appendingPathComponent("\(prefix)\(getpid())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? mark(of: folder)?.write(to: folder.appendingPathComponent(markName), atomically: false, encoding: .utf8)
        atexit { try? FileManager.default.removeItem(at: TestFolder.process) }
        return folder
    }()

    /// The file that distinguishes a folder of tests from one with a similar name.
    private static let markName = ".tapsim-tests"

    /// The content of that file: the path of the folder itself.
    private static func mark(of folder: URL) -> String? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
        guard let device = attributes?[.systemNumber], let inode = attributes?[.systemFileNumber] else { return nil }
        return "\(device) \(inode)\n"
    }

    /// Creates an empty folder.
    ///
    /// - Parameter prefix: The beginning of its name.
    public static func make(_ prefix: String = "") throws -> URL {
        // The name is short, since the paths of sockets must be short.
        let folder = process.appendingPathComponent(prefix + UUID().uuidString.prefix(nameLength))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
