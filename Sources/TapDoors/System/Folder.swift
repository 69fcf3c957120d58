#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Folders of the file system.
public enum Folder {
    /// Names in a folder, sorted; nothing for what is no folder that can be read.
    public static func names(in folder: String) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a folder and what is in it; links are removed, not followed.
    static func removeTree(_ path: String, depth: Int) {
        for name in names(in: path) ?? [] {
            let entry = "\(path)/\(name)"
            if unsafe unlink(entry) != 0, depth > 0 { removeTree(entry, depth: depth - 1) }
        }
        _ = unsafe rmdir(path)
    }

    /// A path from the root on, for processes with other working directories.
    public static func wholePath(of path: String) -> String {
        path.hasPrefix("/") ? path : working.map { "\($0)/\(path)" } ?? path
    }

    /// The working directory; nothing if it was removed.
    private static var working: String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
