import Foundation
import TapDocument
import TapSystem
import TapScenario
import Testing

#if YAML && (os(Linux) || os(macOS))
    import TapYAML
#endif

/// The project files that a test's traits and scenarios name.
///
/// Traits name files relative to the folder of their source file or to a folder above it; files name files relative to their
/// own folder. Files outside the project are not read, since a scenario may come from a stranger.
struct TestFiles: ReferencedFiles {
    private static let maximumHeight = 64

    /// The folder of the project, or the folder of the source file if there is no project.
    let root: String

    /// Finds the project: the outermost folder with a package or an Xcode project, so that a package of an app can read the
    /// app's files, but not above a repository.
    init(around sourcePath: String) {
        let folders = Self.folders(above: sourcePath)
        let repository = folders.firstIndex { FileManager.default.fileExists(atPath: "\($0)/.git") }
        let project = folders[...(repository ?? folders.count - 1)].last(where: Self.holdsProject)
        root = Self.real(project ?? folders[0])
    }

    private static func holdsProject(_ folder: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            name == "Package.swift" || name.hasSuffix(".xcodeproj") || name.hasSuffix(".xcworkspace")
        }
    }

    func identity(of name: String) -> String { Self.real(name) }

    func reader(for name: String) -> any DocumentReader {
        #if YAML && (os(Linux) || os(macOS))
            DocumentReaders.reader(for: name)
        #else
            name.lowercased().hasSuffix(".json") ? JSONReader() : NoYAMLReader()
        #endif
    }

    func open(
        _ path: String, namedIn file: String, maximumBytes: Int
    ) throws(ReferencedFileProblem) -> ReferencedFile {
        let name = try place(of: path, namedIn: file)
        let bytes: [UInt8]
        do {
            bytes = try FileContent.bytes(of: name, upTo: maximumBytes)
        } catch {
            throw ReferencedFileProblem(.unreadable, "\(error)", hint: "make it readable")
        }
        return ReferencedFile(identity: Self.real(name), name: name, bytes: Self.asXML(bytes))
    }

    private func place(of path: String, namedIn file: String) throws(ReferencedFileProblem) -> String {
        let folders = Self.folders(above: file)
        let isSource = file.hasSuffix(".swift")
        let places = path.hasPrefix("/") ? [path] : folders.prefix(isSource ? folders.count : 1).map { "\($0)/\(path)" }
        let isInside = { (place: String) in Self.real(place).hasPrefix("\(root)/") || path.hasPrefix("/") && isSource }
        let found = places.filter(FileContent.isRegular)
        guard let place = found.first(where: isInside) else {
            guard found.isEmpty else {
                throw ReferencedFileProblem(
                    .outside, "it is outside \(root)", hint: "tests use files of their own project")
            }
            throw ReferencedFileProblem(
                .unreadable, "there is no such file",
                hint: isSource
                    ? "a trait's path is relative to the folder of its source file or to a folder above it, up to \(root)"
                    : "paths are relative to the folder of the file that names them")
        }
        return URL(fileURLWithPath: place).standardized.path
    }

    /// Returns the folders above a file, nearest first.
    private static func folders(above file: String) -> [String] {
        var folder = URL(fileURLWithPath: file).standardized.deletingLastPathComponent()
        var folders = [folder.path]
        while folder.path != "/", folders.count < maximumHeight {
            folder = folder.deletingLastPathComponent()
            folders.append(folder.path)
        }
        return folders
    }

    private static func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// Converts a binary property list to XML; other bytes are unchanged.
    static func asXML(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.starts(with: Array("bplist".utf8)),
            let list = unsafe try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
            let text = try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        else { return bytes }
        return Array(text)
    }
}

#if !(YAML && (os(Linux) || os(macOS)))
    private struct NoYAMLReader: DocumentReader {
        func read(_ file: SourceFile, into diagnostics: inout Diagnostics) -> Node? {
            diagnostics.report(
                Diagnostic(
                    .noYAML, "YAML is not supported here", at: .file(file),
                    hint: "write the scenario as JSON: `tapsim check --resolved --json FILE`"))
            return nil
        }
    }
#endif

/// The line of a trait as the source of values, for errors.
///
/// The file has the name of the test's source file and contains the trait's text on its line; the lines before are empty.
struct TraitSource {
    private let range: SourceRange

    init(_ text: String, at location: SourceLocation) {
        let before = String(repeating: "\n", count: max(0, location.line - 1))
        let file = SourceFile(name: location.filePath, text: before + text)
        range = SourceRange(file, offset: before.unicodeScalars.count, end: file.scalars.count)
    }

    init(scenario path: String, at location: SourceLocation) {
        self.init(".scenario(\"\(path)\")", at: location)
    }

    static func holds(_ range: SourceRange) -> Bool { range.file.name.hasSuffix(".swift") }

    func place(_ node: Node) -> Node {
        switch node {
        case .scalar(let scalar): .scalar(place(scalar))
        case .list(let list): .list(NodeList(list.items.map(place), range: range))
        case .map(let map):
            .map(NodeMap(map.entries.map { NodeMap.Entry(place($0.key), place($0.value)) }, range: range))
        }
    }

    func error(_ code: DiagnosticCode, _ message: String, hint: String) -> Diagnostic {
        Diagnostic(code, message, at: .range(range), hint: hint)
    }

    private func place(_ scalar: Scalar) -> Scalar { Scalar(scalar.text, form: scalar.form, range: range) }
}
