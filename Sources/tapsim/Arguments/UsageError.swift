/// A command line that cannot be followed.
struct UsageError: Error, CustomStringConvertible {
    /// What is wrong, half a sentence without a full stop.
    let message: String
    var description: String { message }

    init(_ message: String) {
        self.message = message
    }
}
