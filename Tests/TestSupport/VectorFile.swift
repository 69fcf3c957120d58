import Foundation

/// A data file of test vectors in the target's `Vectors` folder: text lines, `#` for comments, with the source at the top of
/// each file.
public enum VectorFile {
    /// The lines of `Vectors/<name>` next to the calling file or above it, without comments and blank lines.
    ///
    /// A missing file ends the test process: a vector test without vectors must not pass.
    public static func lines(_ name: String, alongside file: String = #filePath) -> [String] {
        text(name, alongside: file).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") && !$0.isEmpty }
    }

    /// The whole text of `Vectors/<name>` next to the calling file or above it.
    ///
    /// A missing file ends the test process, as for ``lines(_:beside:)``.
    public static func text(_ name: String, alongside file: String = #filePath) -> String {
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        while folder.path != "/" {
            let url = folder.appendingPathComponent("Vectors/\(name)")
            if let text = try? String(contentsOf: url, encoding: .utf8) { return text }
            folder.deleteLastPathComponent()
        }
        fatalError("there is no vector file \(name) in a Vectors folder above \(file)")
    }
}
