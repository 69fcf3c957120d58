import Foundation

/// Where lines of the log go: standard error, or what a test puts in its place for its task.
struct LogOutput: Sendable {
    @TaskLocal static var current = LogOutput { line in
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    let write: @Sendable (String) -> Void
}
