import TapDoors
import TapScenario
import TapYAML

/// The files that a scenario may read besides itself: those below its root.
///
/// The root is the working directory if the scenario lies below it, as for the programs a scenario may start, and
/// otherwise the folder of the scenario. Links are followed first, so that none leads out.
struct FolderFiles: CompanionFiles {
    private let root: String?

    /// Finds the root of a scenario.
    ///
    /// - Parameter path: The scenario as the command line names it.
    init(around path: String) {
        let folder = RealPath.of(Self.folder(of: path))
        let working = RealPath.of(".")
        guard let folder, let working else {
            root = folder
            return
        }
        root = folder == working || RealPath.isInside(folder, working) ? working : folder
    }

    func identity(of name: String) -> String { RealPath.of(name) ?? name }

    func open(
        _ path: String, namedIn file: String, maximumBytes: Int
    ) throws(CompanionFileProblem) -> CompanionFile {
        let joined = Self.joined(path, Self.folder(of: file))
        guard let real = RealPath.of(joined) else {
            throw CompanionFileProblem(
                .unreadable, "there is no such file", hint: "paths begin at the folder of the file that names them")
        }
        try checkInside(real)
        // A pipe or a device would be waited for.
        guard FileContent.isRegular(real) else {
            throw CompanionFileProblem(.unreadable, "it is no file with content", hint: "name a file on a disk")
        }
        do {
            let bytes = try FileContent.bytes(of: real, upTo: maximumBytes, isFollowing: false)
            return CompanionFile(identity: real, name: Self.shown(joined, real), bytes: bytes)
        } catch {
            throw CompanionFileProblem(.unreadable, "\(error)", hint: "make it readable")
        }
    }

    /// Whether a file lies below the root, links followed.
    func isInside(_ path: String) -> Bool {
        guard let root, let real = RealPath.of(path) else { return false }
        return RealPath.isInside(real, root)
    }

    func reader(for name: String) -> any DocumentReader { DocumentReaders.reader(for: name) }

    /// Where a file is written that need not be there yet; its folder has to be.
    func place(of path: String, namedIn file: String) throws(CompanionFileProblem) -> String {
        let joined = Self.joined(path, Self.folder(of: file))
        guard let folder = RealPath.of(Self.folder(of: joined)) else {
            throw CompanionFileProblem(.unreadable, "its folder does not exist", hint: "create the folder")
        }
        let name = joined.split(separator: "/").last.map(String.init) ?? ""
        guard !name.isEmpty, name != ".", name != ".." else {
            throw CompanionFileProblem(.unreadable, "it is a folder", hint: "name a file in it")
        }
        let place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        try checkInside(RealPath.of(place) ?? place)
        return joined
    }

    private func checkInside(_ real: String) throws(CompanionFileProblem) {
        guard let root, RealPath.isInside(real, root) else {
            throw CompanionFileProblem(
                .outside, "it lies outside \(root ?? "the root")",
                hint: "a scenario uses files below the working directory, or below its own folder elsewhere")
        }
    }

    private static func joined(_ path: String, _ folder: String) -> String {
        folder == "." ? path : folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// The folder of a path.
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path without `..` where that is the same file, as where no folder is a link.
    private static func shown(_ path: String, _ real: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        let short = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
        return RealPath.of(short) == real ? short : path
    }
}
