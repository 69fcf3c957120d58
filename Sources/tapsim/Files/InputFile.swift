import TapDoors
import TapScenario

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file named on the command line.
enum InputFile {
    /// Reads a file; of one that is too large a little more than is allowed, which its reader then refuses.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it cannot be read.
    static func load(_ path: String) throws(VerbError) -> SourceFile {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw cannotRead(path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw VerbError(.usage, "\(path) is a folder; name the files in it")
        }
        do {
            let bytes = try FileContent.bytes(of: path, upTo: DocumentLimits.scenario.maximumBytes)
            return SourceFile(name: path, bytes: bytes)
        } catch {
            throw cannotRead(path)
        }
    }

    /// Reads standard input to its end, as ``load(_:)`` does a file.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it cannot be read.
    static func standardInput() throws(VerbError) -> SourceFile {
        guard let bytes = FileContent.bytes(from: STDIN_FILENO, upTo: DocumentLimits.scenario.maximumBytes) else {
            throw VerbError(.usage, "\(SystemError("read standard input"))")
        }
        return SourceFile(name: "standard input", bytes: bytes)
    }

    private static func cannotRead(_ path: String) -> VerbError {
        let error = SystemError("read \(path)")
        guard error.errno == ENOENT else { return VerbError(.usage, "\(error)") }
        let start = path.hasPrefix("/") ? "" : "; paths begin at the working directory"
        return VerbError(.usage, "there is no file \(path)\(start)")
    }
}
