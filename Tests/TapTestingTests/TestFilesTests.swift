import Foundation
@testable import TapScenario
import Testing

@testable import TapTesting

/// A folder of files for a single test.
private struct Tree: ~Copyable {
    let path: String

    init(_ names: String...) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tree-\(UUID().uuidString)")
        path = folder.resolvingSymlinksInPath().path
        for name in names {
            let file = URL(fileURLWithPath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(name.utf8).write(to: file)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite struct TestFilesTests {
    @Test func aPackageOfAnAppCanReadTheFilesOfTheApp() throws {
        let tree = try Tree(
            ".git/HEAD", "App.xcodeproj/project.pbxproj", "App/Info.plist", "Kit/Package.swift", "Kit/Tests/A.swift")
        let source = "\(tree.path)/Kit/Tests/A.swift"
        let files = TestFiles(around: source)
        #expect(files.root == TestFiles(around: "\(tree.path)/App/B.swift").root)
        let file = try files.open("App/Info.plist", namedIn: source, maximumBytes: 100)
        #expect(String(decoding: file.bytes, as: UTF8.self) == "App/Info.plist")
    }

    @Test func theNearestFileWithTheNameIsUsed() throws {
        let tree = try Tree("Package.swift", "x.json", "Tests/x.json", "Tests/Deep/A.swift")
        let source = "\(tree.path)/Tests/Deep/A.swift"
        let file = try TestFiles(around: source).open("x.json", namedIn: source, maximumBytes: 100)
        #expect(String(decoding: file.bytes, as: UTF8.self) == "Tests/x.json")
    }

    @Test func nothingAboveTheRepositoryIsRead() throws {
        let tree = try Tree(
            "Package.swift", "x.json", "Repository/.git/HEAD", "Repository/Package.swift", "Repository/A.swift")
        let source = "\(tree.path)/Repository/A.swift"
        #expect(throws: ReferencedFileProblem.self) {
            try TestFiles(around: source).open("../x.json", namedIn: source, maximumBytes: 100)
        }
        #expect(throws: ReferencedFileProblem.self) {
            try TestFiles(around: source).open("x.json", namedIn: source, maximumBytes: 100)
        }
    }

    @Test func withoutAProjectTheFolderOfTheSourceFileIsTheRoot() throws {
        let tree = try Tree("x.json", "Tests/A.swift", "Tests/y.json")
        let source = "\(tree.path)/Tests/A.swift"
        let files = TestFiles(around: source)
        #expect(try files.open("y.json", namedIn: source, maximumBytes: 100).bytes.count == 12)
        #expect(throws: ReferencedFileProblem.self) {
            try files.open("x.json", namedIn: source, maximumBytes: 100)
        }
    }

    @Test func aFileReferencesOtherFilesOnlyFromItsOwnFolder() throws {
        let tree = try Tree("Package.swift", "x.json", "Tests/A.swift", "Tests/y.json")
        let files = TestFiles(around: "\(tree.path)/Tests/A.swift")
        #expect(throws: ReferencedFileProblem.self) {
            try files.open("x.json", namedIn: "\(tree.path)/Tests/y.json", maximumBytes: 100)
        }
        #expect(try files.open("../x.json", namedIn: "\(tree.path)/Tests/y.json", maximumBytes: 100).bytes.count == 6)
    }
}
