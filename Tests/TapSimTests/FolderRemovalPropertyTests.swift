import Foundation
import TestSupport
import Testing

@testable import TapSystem

/// Random trees with links, modes and marks: only folders proven to be TapSim's are removed, and nothing outside of them changes.
///
/// Some tests start `tapsim`: it runs as another user.
@Suite struct `Removing the remains of killed runs` {
    /// A location with folders that resemble TapSim's, next to files that must not change.
    private struct Place {
        let top: String
        var random: TestRandom
        var parent: String { "\(top)/temporary" }
        var outside: String { "\(top)/outside" }
        /// The names of folders that are proven to be TapSim's, and of the others.
        var proven: Set<String> = []
        var doubtful: Set<String> = []

        init(_ top: String, _ random: TestRandom) throws {
            (self.top, self.random) = (top, random)
            for folder in [parent, outside, "\(outside)/folder"] { try make(folder) }
            for file in ["a", "folder/b"] {
                try Data("precious".utf8).write(to: URL(fileURLWithPath: "\(outside)/\(file)"))
            }
            for number in 10..<16 {
                try addCandidate(PrivateDirectoryName(creator: Self.ended, suffix: "ab\(number)").text)
            }
        }

        private static let ended = ProcessIdentity(number: 1 << 22, start: 1)

        private func make(_ folder: String, _ mode: Int = 0o700) throws {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
        }

        private mutating func addCandidate(_ name: String) throws {
            let path = "\(parent)/\(name)"
            try make(path)
            try fill(path, depth: 0)
            let folder = try OpenFolder(at: path)
            guard let status = folder.status else { return }
            var isProven = true
            var creator = Self.ended
            var kind = OwnFolder.Kind.temporary
            var marked = status
            switch random.number(below: 8) {
            case 0: (creator, isProven) = (.own, false)
            case 1: (kind, isProven) = (.run, false)
            case 2: (marked.st_ino, isProven) = (status.st_ino + 1, false)
            case 3: (marked.st_dev, isProven) = (status.st_dev + 1, false)
            default: break
            }
            let mark = FolderMark(kind, marked, creator)
            if random.oneIn(4) {
                isProven = false
                try Data(mark.text.utf8).write(to: URL(fileURLWithPath: "\(outside)/mark-\(name)"))
                _ = unsafe symlink("\(outside)/mark-\(name)", "\(path)/\(OwnFolder.markName)")
            } else if random.oneIn(8) {
                // An empty folder is proven by its name.
                isProven = try FileManager.default.contentsOfDirectory(atPath: path).isEmpty
            } else {
                try mark.write(into: folder)
            }
            if random.oneIn(8) {
                isProven = false
                _ = unsafe chmod(path, random.pick([0o755, 0o500, 0o770]))
            }
            if isProven { proven.insert(name) } else { doubtful.insert(name) }
        }

        private mutating func fill(_ folder: String, depth: Int) throws {
            for number in 0..<random.number(below: 5) {
                let path = "\(folder)/\(number)"
                switch random.number(below: 7) {
                case 0:
                    _ = unsafe symlink(
                        random.pick([outside, "\(outside)/folder", "..", ".", "gone", "\(outside)/a"]), path)
                case 1: _ = unsafe link("\(outside)/a", path)
                case 2: _ = unsafe mkfifo(path, 0o600)
                case 3: try Data("x".utf8).write(to: URL(fileURLWithPath: path))
                default:
                    guard depth < 5 else { continue }
                    try make(path)
                    try fill(path, depth: depth + 1)
                    _ = unsafe chmod(path, random.pick([0o700, 0o555, 0o500, 0o777]))
                }
            }
        }
    }

    /// Every path below a folder, with its type, mode, size and content.
    private func snapshot(_ folder: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        return ([""] + paths.sorted()).map { name in
            var status = stat()
            guard unsafe lstat("\(folder)/\(name)", &status) == 0 else { return "\(name) gone" }
            let isFile = status.st_mode & S_IFMT == S_IFREG
            let text = isFile ? (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? "" : ""
            return "\(name) \(status.st_mode) \(status.st_ino) \(text)"
        }
    }

    private func openUp(_ folder: String) {
        for name in FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [] {
            var status = stat()
            if unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                _ = unsafe chmod("\(folder)/\(name)", 0o700)
            }
        }
    }

    private func check(_ place: Place, _ remove: () throws -> Void) throws {
        let outside = snapshot(place.outside)
        let doubtful = place.doubtful.map { snapshot("\(place.parent)/\($0)") }
        try remove()
        let comment: Comment = "seed \(TestSeed.value), \(place.top)"
        let isOutsideSame = snapshot(place.outside) == outside
        #expect(isOutsideSame, comment)
        for (name, before) in zip(place.doubtful, doubtful) {
            let isSame = snapshot("\(place.parent)/\(name)") == before
            #expect(isSame, "\(name), \(comment)")
        }
        for name in place.proven {
            #expect(!FileManager.default.fileExists(atPath: "\(place.parent)/\(name)"), "\(name), \(comment)")
        }
        openUp(place.parent)
    }

    @Test func `removes proven folders and changes nothing else`() throws {
        for number in 0..<TestScale.count(30) {
            let place = try Place(try TestFolder.make().path, TestRandom("removing \(number)"))
            try check(place) { Leftovers.removeFolders(in: place.parent) }
        }
    }

    @Test(.enabled(if: getuid() == 0)) func `does so as an unprivileged user`() throws {
        let shared = try TestFolder.make()
        let program = shared.appendingPathComponent("tapsim").path
        // Written by another process, because a program that is open for writing cannot be started.
        #expect(try TapSimProgram.run([TapSimProgram.path, program], program: "/bin/cp").exitCode == 0)
        for number in 0..<TestScale.count(1) {
            let place = try Place(try TestFolder.make().path, TestRandom("removing as nobody \(number)"))
            #expect(try TapSimProgram.run(["-Rh", "nobody", place.top], program: "/bin/chown").exitCode == 0)
            try check(place) {
                let outcome = try TapSimProgram.run(
                    ["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--no-new-privs", "env", "-C", "/"]
                        + ["TMPDIR=\(place.parent)", program, "run", "--card", "ndef", "--trace", "off", "--", "true"],
                    program: "/usr/bin/setpriv")
                #expect(!outcome.error.contains("could not remove"), "\(outcome.error)")
            }
        }
    }
}
