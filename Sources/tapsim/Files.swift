import TapDocument
import TapDoors

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

enum InputFile {
    /// Reads a file, just past the size limit so that its reader refuses a longer one.
    static func load(
        _ path: String, upTo maximumBytes: Int = DocumentLimits.scenario.maximumBytes
    ) throws(VerbError) -> SourceFile {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw cannotRead(path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw VerbError(.usage, "\(path) is a folder; name the files in it")
        }
        do {
            let bytes = try FileContent.bytes(of: path, upTo: maximumBytes)
            return SourceFile(name: path, bytes: bytes)
        } catch {
            throw cannotRead(path)
        }
    }

    static func standardInput(
        upTo maximumBytes: Int = DocumentLimits.scenario.maximumBytes
    ) throws(VerbError) -> SourceFile {
        guard let bytes = FileContent.bytes(from: STDIN_FILENO, upTo: maximumBytes) else {
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

struct LineInput {
    private var buffer: LineBuffer

    init(maximumLength: Int) {
        buffer = LineBuffer(maximumLength: maximumLength)
    }

    mutating func next() throws(VerbError) -> LineBuffer.Line? {
        while true {
            if let line = buffer.next() { return line }
            let bytes = try Self.receive()
            guard !bytes.isEmpty else { return buffer.rest() }
            buffer.append(bytes[...])
        }
    }

    private static func receive() throws(VerbError) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if count >= 0 { return Array(chunk.prefix(count)) }
            guard SystemError.currentErrno() == EINTR else {
                throw VerbError(.usage, "\(SystemError("read standard input"))")
            }
        }
    }
}

enum OutputFile {
    /// Replaces a file atomically, with the old one's permissions; a symbolic link is followed.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it cannot be written; the old file is still there then.
    static func replace(_ path: String, with text: String) throws(VerbError) {
        try replace(path, with: Array(text.utf8))
    }

    static func replace(_ path: String, with bytes: [UInt8]) throws(VerbError) {
        let target = RealPath.of(path) ?? path
        var status = stat()
        let mode = unsafe stat(target, &status) == 0 ? status.st_mode & 0o777 : 0o644
        try write(bytes, mode: mode, to: target, isReplacing: true)
    }

    /// Writes a file atomically; one that is there stays, unless `isReplacing`.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it is there or cannot be written.
    static func write(_ path: String, with bytes: [UInt8], isReplacing: Bool) throws(VerbError) {
        guard !isReplacing else { return try replace(path, with: bytes) }
        try write(bytes, mode: 0o644, to: path, isReplacing: false)
    }

    /// Why a file that is there is not written.
    static func isThereAlready(_ path: String) -> VerbError {
        VerbError(.usage, "\(path) is there already; --force replaces it")
    }

    /// Adds text to the end of a file, which is made if it is not there.
    ///
    /// - Throws: ``VerbError`` with ``ExitCode/usage`` if it cannot be written.
    static func append(_ text: String, to path: String) throws(VerbError) {
        do { try FileContent.append(Array(text.utf8), to: path) } catch { throw VerbError(.usage, "\(error)") }
    }

    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Makes the folders above a file.
    static func makeFolder(of path: String) throws(VerbError) {
        var folder = ""
        for name in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            folder += folder.isEmpty && !path.hasPrefix("/") ? name : "/\(name)"
            if folder.isEmpty || folder == "/" { continue }
            if unsafe mkdir(folder, 0o755) != 0, SystemError.currentErrno() != EEXIST {
                throw VerbError(.usage, "\(SystemError("make the folder \(folder)"))")
            }
        }
    }

    private static func write(
        _ bytes: [UInt8], mode: mode_t, to path: String, isReplacing: Bool
    ) throws(VerbError) {
        let (temporary, descriptor) = temporaryFile(beside: path, mode)
        guard descriptor >= 0 else { throw failure(path) }
        defer { _ = unsafe unlink(temporary) }
        let isWritten = fchmod(descriptor, mode) == 0 && send(bytes, to: descriptor)
        let error = isWritten ? nil : failure(path)
        guard close(descriptor) == 0 || error != nil else { throw failure(path) }
        if let error { throw error }
        // Another program may make the file at any time; a link is made only where nothing is.
        let result = unsafe isReplacing ? rename(temporary, path) : link(temporary, path)
        guard result == 0 else { throw failure(path) }
    }

    /// Makes a uniquely named file; a killed run may have left one behind.
    private static func temporaryFile(beside path: String, _ mode: mode_t) -> (path: String, descriptor: Int32) {
        var made: (path: String, descriptor: Int32) = ("", -1)
        for number in 0..<maximumAttempts {
            let temporary = "\(path).\(getpid())-\(number).tmp"
            made = (temporary, unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode))
            guard made.descriptor < 0, SystemError.currentErrno() == EEXIST else { break }
        }
        return made
    }

    private static let maximumAttempts = 100

    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = Array(rest)
            let count = systemWrite(descriptor, chunk)
            if count < 0, SystemError.currentErrno() == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.write(descriptor, bytes, bytes.count)
        #elseif canImport(Musl)
            unsafe Musl.write(descriptor, bytes, bytes.count)
        #else
            unsafe Glibc.write(descriptor, bytes, bytes.count)
        #endif
    }

    private static func failure(_ path: String) -> VerbError {
        guard SystemError.currentErrno() != EEXIST else { return isThereAlready(path) }
        return VerbError(.usage, "\(SystemError("write \(path)"))")
    }
}
