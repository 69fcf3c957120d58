import Foundation
import TapDocument
import TapScenario
import TapYAML

/// In-memory files by name; names that begin with `..` are outside the root.
package struct StoredFiles: ReferencedFiles {
    package var files: [String: [UInt8]]

    package init(_ files: [String: String]) {
        self.files = files.mapValues { Array($0.utf8) }
    }

    package func identity(of name: String) -> String { name }

    package func open(
        _ path: String, namedIn file: String, maximumBytes: Int
    ) throws(ReferencedFileProblem) -> ReferencedFile {
        var parts = file.split(separator: "/").dropLast().map(String.init)
        for part in path.split(separator: "/").map(String.init) where part != "." {
            if part != ".." {
                parts.append(part)
            } else if parts.popLast() == nil {
                throw ReferencedFileProblem(.outside, "it lies outside the root", hint: "move it")
            }
        }
        let name = parts.joined(separator: "/")
        guard let bytes = files[name] else {
            throw ReferencedFileProblem(.unreadable, "there is no such file", hint: "write it")
        }
        return ReferencedFile(identity: name, name: name, bytes: Array(bytes.prefix(maximumBytes + 1)))
    }

    package func reader(for name: String) -> any DocumentReader { DocumentReaders.reader(for: name) }
}

/// The files in the folder of shipped scenarios.
package struct ShippedFiles: ReferencedFiles {
    package func identity(of name: String) -> String { url(name).standardizedFileURL.path }

    package func open(
        _ path: String, namedIn file: String, maximumBytes: Int
    ) throws(ReferencedFileProblem) -> ReferencedFile {
        var parts = Array(file.split(separator: "/").dropLast())
        for part in path.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        let name = parts.joined(separator: "/")
        guard let data = try? Data(contentsOf: url(name)) else {
            throw ReferencedFileProblem(.unreadable, "there is no such file", hint: "write it")
        }
        return ReferencedFile(identity: identity(of: name), name: name, bytes: Array(data.prefix(maximumBytes + 1)))
    }

    package func reader(for name: String) -> any DocumentReader { DocumentReaders.reader(for: name) }

    private func url(_ name: String) -> URL {
        let parts = name.split(separator: "/").drop { $0 == "Scenarios" }
        return ShippedScenarios.folder.appendingPathComponent(parts.joined(separator: "/"))
    }
}
