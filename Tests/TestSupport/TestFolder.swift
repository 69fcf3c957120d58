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

    /// The file that tells a folder of tests from one that only has such a name.
    private static let markName = ".tapsim-tests"

    /// The content of that file: the location of the folder itself.
    private static func mark(of folder: URL) -> String? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
        guard let device = attributes?[.systemNumber], let inode = attributes?[.systemFileNumber] else { return nil }
        return "\(device) \(inode)\n"
    }

    /// Makes an empty folder.
    ///
    /// - Parameter prefix: How its name begins.
    public static func make(_ prefix: String = "") throws -> URL {
        let folder = process.appendingPathComponent(prefix + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
