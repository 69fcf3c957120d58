#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The working directory and the environment variables of a command and of the programs that it starts.
public struct Surroundings: Hashable, Sendable {
    public var folder: WorkingFolder
    /// The variables that override those of this process.
    public var variables: [String: String]

    /// Creates surroundings, by default those of this process.
    public init(folder: WorkingFolder = WorkingFolder(), variables: [String: String] = [:]) {
        self.folder = folder
        self.variables = variables
    }

    public subscript(name: String) -> String? { variables[name] ?? ProcessEnvironment[name] }

    /// Finds a program as a shell does: by its path, or in `PATH`.
    ///
    /// - Returns: A path for system calls; `nil` if there is no such program.
    package func program(_ name: String) -> String? {
        if name.contains("/") {
            let path = folder.path(to: name)
            return RealPath.of(path) == nil ? nil : path
        }
        let folders = (self["PATH"] ?? "").split(separator: ":")
        return folders.lazy.map { folder.path(to: "\($0)/\(name)") }.first(where: Self.isRunnable)
    }

    private static func isRunnable(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o111 != 0
    }
}

/// The folder from which relative paths start.
public struct WorkingFolder: Hashable, Sendable {
    /// The path of the folder; `nil` for the working directory of this process.
    package let path: String?

    /// Creates a working folder, by default that of this process.
    public init(_ path: String? = nil) {
        self.path = path
    }

    /// Returns the path with which system calls find the file that a user names.
    package func path(to name: String) -> String {
        guard let path, !name.hasPrefix("/") else { return name }
        return name == "." ? path : "\(path)/\(name)"
    }

    /// Returns the absolute path, for processes with other working directories.
    package func wholePath(of name: String) -> String { Folder.wholePath(of: path(to: name)) }
}
