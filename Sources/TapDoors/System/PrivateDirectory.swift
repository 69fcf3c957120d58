#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder that only this user may enter, in the temporary directory, for sockets and short-lived files.
///
/// It goes away with all that lies in it, at the latest when nobody holds it.
public final class PrivateDirectory: Sendable {
    /// The name of a folder; the system replaces the Xs.
    private static let namePattern = "tapsim-XXXXXX"

    /// Where it is; short, since the paths of sockets have to be.
    public let path: String
    private let isThere = Lock(true)

    /// Makes a folder with mode 0700 and a name that nobody has.
    ///
    /// - Throws: ``SystemError`` if the temporary directory takes none.
    public init() throws(SystemError) {
        var template = Array("\(Self.parent)/\(Self.namePattern)".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw SystemError("make a folder in \(Self.parent), the temporary directory")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        EndingPaths.add(path)
    }

    deinit {
        remove()
    }

    /// The temporary directory: `TMPDIR`, or `/tmp`.
    public static var parent: String {
        guard let directory = ProcessEnvironment["TMPDIR"], directory.hasPrefix("/") else { return "/tmp" }
        return directory.count > 1 && directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    }

    /// How many bytes the path of a file in such a folder has.
    public static func pathLength(ofFile name: String) -> Int {
        "\(parent)/\(namePattern)/\(name)".utf8.count
    }

    /// Removes the folder and the files in it; a second call does nothing.
    public func remove() {
        let wasThere = isThere.withLock { isThere in
            defer { isThere = false }
            return isThere
        }
        guard wasThere else { return }
        for name in Folder.names(in: path) ?? [] { _ = unsafe unlink("\(path)/\(name)") }
        _ = unsafe rmdir(path)
        EndingPaths.remove(path)
    }
}
