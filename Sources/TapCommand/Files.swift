import TapDocument
import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// Reads files that a user names. User paths become system paths here, in OutputFile.swift and in RunFolder.swift.

extension WorkingFolder {
    /// Reads a file up to just past the size limit, so that its reader rejects a longer one.
    func load(
        _ path: String, upTo maximumBytes: Int = DocumentLimits.scenario.maximumBytes
    ) throws(VerbError) -> SourceFile {
        var status = stat()
        guard unsafe stat(self.path(to: path), &status) == 0 else {
            throw Self.cannotRead(path, SystemError("read \(path)"))
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw VerbError(.usage, "\(path) is a folder; name the files in it")
        }
        do {
            return SourceFile(name: path, bytes: try bytes(of: path, upTo: maximumBytes))
        } catch {
            throw Self.cannotRead(path, error)
        }
    }

    /// Reads a file; of a file larger than `limit`, at least one byte more than `limit`.
    func bytes(of path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
        do {
            return try FileContent.bytes(of: self.path(to: path), upTo: limit)
        } catch {
            throw SystemError("read \(path)", errno: error.errno)
        }
    }

    /// The path without symbolic links and dots; `nil` if nothing is there.
    func realPath(of path: String) -> String? { RealPath.of(self.path(to: path)) }

    /// The names in a folder, sorted; `nil` if it cannot be read as a folder.
    func names(in path: String) -> [String]? { Folder.names(in: self.path(to: path)) }

    /// A Boolean value that indicates whether a path leads to a folder, links followed, whether or not it can be read.
    func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(self.path(to: path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    func isRegular(_ path: String) -> Bool { FileContent.isRegular(self.path(to: path)) }

    /// A Boolean value that indicates whether a path exists, links followed.
    func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(self.path(to: path), &status) == 0
    }

    /// The target of a symbolic link; `nil` if the path is not one.
    func target(ofLink path: String) -> String? { RealPath.target(ofLink: self.path(to: path)) }

    private static func cannotRead(_ path: String, _ error: SystemError) -> VerbError {
        guard error.errno == ENOENT else { return VerbError(.usage, "\(error)") }
        let help = path.hasPrefix("/") ? nil : "paths are relative to the working directory"
        return VerbError(.usage, "there is no file \(path)", help: help)
    }
}
