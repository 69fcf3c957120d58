import TapSystem

/// What brought a program, as the machine tells without running it.
enum ProgramPackage {
    /// Such as `libnfc-bin 1.8.0-2`, or `nfcpy 1.0.4` of Python; `nil` where nothing is known.
    static func text(of path: String, in folder: WorkingFolder) -> String? {
        guard let path = folder.realPath(of: path) else { return nil }
        return debian(path) ?? python(path)
    }

    private static let patience = Duration.seconds(5)

    /// The package of Debian's that has the file, with its version.
    private static func debian(_ path: String) -> String? {
        debianName(of: path).flatMap { output("dpkg-query", "--show", "--showformat=${Package} ${Version}", $0) }
    }

    /// The name of the package of Debian's that has a file.
    static func debianName(of path: String) -> String? {
        // /usr/bin may be listed as /bin, of which it is the same.
        let names = [path] + (path.hasPrefix("/usr/") ? [String(path.dropFirst("/usr".count))] : [])
        for name in names {
            guard let line = output("dpkg-query", "--search", name), let end = line.firstIndex(of: ":") else {
                continue
            }
            return String(line[..<end])
        }
        return nil
    }

    /// The first line that a program prints; `nil` where it fails.
    private static func output(_ words: String...) -> String? {
        let outcome = try? ClientProcess.run(ClientCommand(words), limits: ClientLimits(wall: patience))
        guard let outcome, outcome.end == .exit(0) else { return nil }
        return outcome.standardOutput.text.split(whereSeparator: \.isNewline).first.map(String.init)
    }
}

extension ProgramPackage {
    /// How far above a file the folder of its package is looked for.
    private static let deepest = 6
    private static let longestRecord = 1 << 20
    private static let ending = ".dist-info"

    /// The package of Python's whose list of files, `RECORD`, has the file (PyPA, Recording installed projects).
    private static func python(_ path: String) -> String? {
        var folder = path[...]
        for _ in 0..<deepest {
            guard let end = folder.lastIndex(of: "/") else { return nil }
            folder = folder[..<end]
            let below = String(path[path.index(after: end)...])
            if let found = package(with: below, in: String(folder)) { return found }
            // Scripts lie in bin, beside lib.
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
