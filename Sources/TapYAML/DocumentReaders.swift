public import TapScenario

/// The readers of scenario files.
public enum DocumentReaders {
    /// The reader for a file by its name: JSON for `.json`, YAML for everything else.
    public static func reader(for fileName: String) -> any DocumentReader {
        fileName.lowercased().hasSuffix(".json") ? JSONReader() : YAMLReader()
    }
}
