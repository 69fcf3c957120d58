import Foundation
import TestSupport
import Testing

@testable import TapSystem

/// Folders that TapSim removes, and folders that only look like them.
@Suite struct `A folder created by TapSim` {
    static let nobody = ProcessIdentity(number: 1 << 22, start: 1)
    static let name = PrivateDirectoryName(creator: nobody, suffix: "aB3x").text

    /// Puts the mark of a killed process into a folder.
    private func mark(_ path: String, as kind: OwnFolder.Kind = .temporary, by creator: ProcessIdentity = nobody) throws
    {
        let folder = try OpenFolder(at: path)
        folder.removeFile(OwnFolder.markName)
        try FolderMark(kind, try #require(folder.status), creator).write(into: folder)
    }

    private func made(_ name: String, in parent: String, _ kind: OwnFolder.Kind = .temporary) throws -> String {
        let folder = try OwnFolder(named: name, in: try OpenFolder(at: parent), for: kind)
        try mark(folder.path, as: kind)
        return folder.path
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func `is removed once its creator has ended`() throws {
        let parent = try TestFolder.make().path
        let path = try made(Self.name, in: parent)
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/file"))
        Leftovers.removeFolders(in: parent)
        #expect(!exists(path))
    }

    @Test func `is emptied for the next client, unless its mark is gone`() throws {
        let parent = try OpenFolder(at: try TestFolder.make().path)
        let folder = try OwnFolder(named: Self.name, in: parent, for: .temporary)
        #expect(folder.empty())
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/file"))
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/.hidden/sub", withIntermediateDirectories: true)
        #expect(folder.empty())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [OwnFolder.markName])
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(OwnFolder.markName)")
        #expect(!folder.empty())
    }

    /// A process can end after it has created a folder, and after it has removed the mark of a folder.
    @Test func `is removed without a mark if its creator has ended and it is empty`() throws {
        let parent = try TestFolder.make().path
        let running = PrivateDirectoryName(creator: .own, suffix: "aB3x").text
        let full = PrivateDirectoryName(creator: Self.nobody, suffix: "full").text
        let unwritten = PrivateDirectoryName(creator: Self.nobody, suffix: "mark").text
        for name in [Self.name, full, unwritten, running, "tapsim-Ab3dE9"] {
            try FileManager.default.createDirectory(
                atPath: "\(parent)/\(name)", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(parent)/\(full)/thesis"))
        try Data().write(to: URL(fileURLWithPath: "\(parent)/\(unwritten)/\(OwnFolder.markName)"))
        Leftovers.removeFolders(in: parent)
        #expect(!exists("\(parent)/\(Self.name)"))
        #expect(!exists("\(parent)/\(unwritten)"))
        #expect(exists("\(parent)/\(full)/thesis"))
        #expect(exists("\(parent)/\(running)"))
        #expect(exists("\(parent)/tapsim-Ab3dE9"))
    }

    @Test(
        arguments: [
            "tapsim-unit-test-aB3x", "tapsim-p1-s2-3-4", "tapsim-p01-s2-aB3x", "tapsim-pA-s2-aB3x", "tapsim-p-s2-aB3x",
            "tapsim-p1-s2", "folder-p1-s2-aB3x", "tapsim-p1-s2-aB3x.old", "tapsim-p1-s2-a.3x", "tapsim-s1-p2-aB3x",
        ])
    func `has a name that nothing else has`(_ text: String) {
        #expect(PrivateDirectoryName(text) == nil)
        #expect(PrivateDirectoryName(Self.name)?.creator == Self.nobody)
    }

    @Test(arguments: ["tapsim-Ab3dE9", "tapsim-review", "tapsim-backup", "tapsim-0.10.0"])
    func `is not confused with somebody else's folder of a similar name`(_ name: String) throws {
        let parent = try TestFolder.make().path
        let path = "\(parent)/\(name)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/thesis"))
        Leftovers.removeFolders(in: parent)
        #expect(exists("\(path)/thesis"))
    }

    /// Each changes one property of a folder that would otherwise be removed.
    static let doubts: [(String, @Sendable (String) throws -> Void)] = [
        ("another mode", { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: $0) }),
        (
            "a mark of another mode",
            {
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\($0)/.tapsim-folder")
            }
        ),
        ("no mark", { try FileManager.default.removeItem(atPath: "\($0)/.tapsim-folder") }),
        (
            "a longer mark",
            { path in
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/.tapsim-folder"))
                try file.seekToEnd()
                try file.write(contentsOf: Data("\n".utf8))
            }
        ),
        (
            "a mark that is a link",
            { path in
                try FileManager.default.moveItem(atPath: "\(path)/.tapsim-folder", toPath: "\(path)/mark")
                try FileManager.default.createSymbolicLink(
                    atPath: "\(path)/.tapsim-folder", withDestinationPath: "mark")
            }
        ),
        (
            "a mark that is a pipe",
            { path in
                try FileManager.default.removeItem(atPath: "\(path)/.tapsim-folder")
                #expect(unsafe mkfifo("\(path)/.tapsim-folder", 0o600) == 0)
            }
        ),
        (
            "the mark of a copy",
            { path in
                try FileManager.default.moveItem(atPath: path, toPath: "\(path).old")
                let copy = Process()
                copy.executableURL = URL(fileURLWithPath: "/bin/cp")
                copy.arguments = ["-a", "\(path).old", path]
                try copy.run()
                copy.waitUntilExit()
            }
        ),
        (
            "a link in its place",
            { path in
                try FileManager.default.moveItem(atPath: path, toPath: "\(path).old")
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(path).old")
            }
        ),
    ]

    @Test(arguments: doubts.indices) func `is left alone if in doubt`(_ index: Int) throws {
        let (doubt, change) = Self.doubts[index]
        let parent = try TestFolder.make().path
        let path = try made(Self.name, in: parent)
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/file"))
        try change(path)
        Leftovers.removeFolders(in: parent)
        #expect(exists("\(path)/file"), "\(doubt)")
    }

    @Test func `is left alone while its creator runs, even without a lock`() throws {
        let parent = try TestFolder.make().path
        let path = try made(Self.name, in: parent)
        try mark(path, by: .own)
        Leftovers.removeFolders(in: parent)
        #expect(exists(path))
        let own = ProcessIdentity.own
        try mark(path, by: ProcessIdentity(number: own.number, start: own.start + 1))
        Leftovers.removeFolders(in: parent)
        #expect(!exists(path), "a later process with the creator's number must not keep the folder")
    }

    @Test func `is left alone while another process has locked it`() throws {
        let parent = try TestFolder.make().path
        let folder = try OwnFolder(named: Self.name, in: try OpenFolder(at: parent), for: .temporary)
        try mark(folder.path)
        Leftovers.removeFolders(in: parent)
        #expect(exists(folder.path))
        #expect(folder.remove() == .removed && !exists(folder.path))
    }

    @Test func `of one kind is not removed as another kind`() throws {
        let parent = try TestFolder.make().path
        let path = try made(Self.name, in: parent, .run)
        Leftovers.removeFolders(in: parent)
        #expect(exists(path))
    }

    @Test func `is removed including read-only subfolders, but not the targets of links`() throws {
        let parent = try TestFolder.make().path
        let outside = try TestFolder.make().path
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(outside)/precious"))
        let path = try made(Self.name, in: parent)
        try FileManager.default.createDirectory(atPath: "\(path)/d", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: "\(path)/d/link", withDestinationPath: outside)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: "\(path)/d")
        Leftovers.removeFolders(in: parent)
        #expect(exists("\(outside)/precious") && !exists(path))
    }

    @Test func `that exceeds the depth limit is left and reported, and keeps its mark`() throws {
        let parent = try TestFolder.make().path
        let folder = try OwnFolder(named: Self.name, in: try OpenFolder(at: parent), for: .temporary)
        let deep = folder.path + String(repeating: "/d", count: TreeRemoval.maximumDepth + 1)
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        guard case .left(let reason, false) = folder.remove() else {
            Issue.record("the folder no longer exists")
            return
        }
        #expect(reason.hasSuffix("/d is deeper than 32 folders"))
        #expect(exists(deep) && exists("\(folder.path)/\(OwnFolder.markName)"))
    }

    @Test func `that is left is reported with advice`() {
        let sentence = Leftovers.sentence(of: [("/t/a", "/t/a/m is on another file system", true)])
        #expect(
            sentence
                == "could not remove /t/a: /t/a/m is on another file system; unmount it first, then remove it by hand")
        let other = Leftovers.sentence(of: [("/t/a", "it is deep", false), ("/t/b", "it is deep", false)])
        #expect(other == "could not remove /t/a and 1 other folder: it is deep; remove them by hand")
        #expect(Leftovers.sentence(of: []) == nil)
    }

    @Test func `is not removed if another folder has taken its path`() throws {
        let parent = try TestFolder.make().path
        let folder = try OwnFolder(named: Self.name, in: try OpenFolder(at: parent), for: .temporary)
        try FileManager.default.moveItem(atPath: folder.path, toPath: "\(parent)/moved")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/new", withIntermediateDirectories: true)
        #expect(folder.remove() == .removed)
        #expect(exists("\(folder.path)/new") && exists("\(parent)/moved"))
    }

    #if os(Linux)
        private static func mounts(_ source: String?, at path: String) -> Bool {
            guard let source else { return unsafe mount("none", path, "tmpfs", 0, nil) == 0 }
            return unsafe mount(source, path, nil, UInt(MS_BIND), nil) == 0
        }

        /// A Boolean value that indicates whether this user may mount file systems, which root usually may, but not in most
        /// containers.
        private static let canMount: Bool = {
            guard let path = try? TestFolder.make().path, mounts(nil, at: path) else { return false }
            return unsafe umount(path) == 0
        }()

        @Test(.enabled(if: canMount), arguments: [true, false])
        func `keeps another file system or mount inside it`(isBound: Bool) throws {
            let parent = try TestFolder.make().path
            let outside = try TestFolder.make().path
            let path = try made(Self.name, in: parent)
            try FileManager.default.createDirectory(atPath: "\(path)/mount", withIntermediateDirectories: false)
            try #require(Self.mounts(isBound ? outside : nil, at: "\(path)/mount"))
            defer { _ = unsafe umount("\(path)/mount") }
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/mount/precious"))
            let left = OwnFolder(left: Self.name, in: try OpenFolder(at: parent), by: .temporary)
            #expect(left?.remove() == .left("\(path)/mount is on another file system", isMounted: true))
            #expect(exists("\(path)/mount/precious"))
        }
    #endif
}
