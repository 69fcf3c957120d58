import Foundation

/// The destination of log lines: standard error, or a test's replacement for its task.
struct LogOutput: Sendable {
    @TaskLocal static var current = LogOutput { line in
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    let write: @Sendable (String) -> Void
}
