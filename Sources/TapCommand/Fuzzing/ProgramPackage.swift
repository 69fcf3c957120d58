import TapSystem

/// The package that a program comes from, found without running the program.
enum ProgramPackage {
    /// The package and its version, such as `libnfc-bin 1.8.0-2`, or `nfcpy 1.0.4` for a Python package; `nil` if unknown.
    static func text(of path: String, in folder: WorkingFolder) -> String? {
        guard let path = folder.realPath(of: path) else { return nil }
        return debian(path) ?? python(path)
    }

    private static let patience = Duration.seconds(5)

    /// The Debian package that contains the file, with its version.
    private static func debian(_ path: String) -> String? {
        debianName(of: path).flatMap { output("dpkg-query", "--show", "--showformat=${Package} ${Version}", $0) }
    }

    /// The name of the Debian package that contains a file.
    static func debianName(of path: String) -> String? {
        // A file in /usr/bin may be listed as /bin, which is the same folder.
        let names = [path] + (path.hasPrefix("/usr/") ? [String(path.dropFirst("/usr".count))] : [])
        for name in names {
            guard let line = output("dpkg-query", "--search", name), let end = line.firstIndex(of: ":") else {
                continue
            }
            return String(line[..<end])
        }
        return nil
    }

    /// Returns the first line that a program prints; `nil` if it fails.
    private static func output(_ words: String...) -> String? {
        let outcome = try? ClientProcess.run(ClientCommand(words), limits: ClientLimits(wall: patience))
        guard let outcome, outcome.end == .exit(0) else { return nil }
        return outcome.standardOutput.text.split(whereSeparator: \.isNewline).first.map(String.init)
    }
}

extension ProgramPackage {
    /// The number of folders above a file in which to look for its package.
    private static let deepest = 6
    private static let longestRecord = 1 << 20
    private static let ending = ".dist-info"

    /// The Python package whose `RECORD` lists the file (PyPA, Recording installed projects).
    private static func python(_ path: String) -> String? {
        var folder = path[...]
        for _ in 0..<deepest {
            guard let end = folder.lastIndex(of: "/") else { return nil }
            folder = folder[..<end]
            let below = String(path[path.index(after: end)...])
            if let found = package(with: below, in: String(folder)) { return found }
            // Scripts are in bin, next to lib.
            for version in Folder.names(in: "\(folder)/lib") ?? [] where version.hasPrefix("python") {
                let site = "\(folder)/lib/\(version)/site-packages"
                if let found = package(with: "../../../\(below)", in: site) { return found }
            }
        }
        return nil
    }

    private static func package(with file: String, in site: String) -> String? {
        let names = (Folder.names(in: site) ?? []).filter { $0.hasSuffix(ending) }
        return names.first { name in
            let record = (try? FileContent.bytes(of: "\(site)/\(name)/RECORD", upTo: longestRecord)) ?? []
            return record.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "\(file),".utf8) }
        }.map { String($0.dropLast(ending.count)).replacing("-", with: " ") }
    }
}
