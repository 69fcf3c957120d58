/// What a client made of a run, judged by what it does without disturbance.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It ended well, with the result of the clean run.
    case correct
    /// It said that something failed, in the way its scenario states.
    case clearError = "clear error"
    /// It ended by a signal nobody here sent, or printed what a sanitizer or a panic of its language prints.
    case crash
    /// It was still running at a time limit.
    case hang
    /// It sent command after command and came to no end.
    case livelock
    /// It ended well, with another result than the clean run.
    case wrongResult = "wrong result"
    /// It ended well, with the beginning of the right result and fewer items than there are.
    case silentLoss = "silent loss"
    /// It did to a card what nobody asked for and what may not be undone.
    case safety
    /// It used a card or a reader in a way that their manuals exclude.
    case protocolMisuse = "protocol misuse"
    /// It ended without giving back what it held of a reader.
    case leak
    /// It failed in one run and not in the next of the same seed.
    case flaky

    /// Whether a client may do this under a fault: be right, or say clearly that it is not.
    public var isOK: Bool { self == .correct || self == .clearError }

    /// What the word means, a sentence of a page that explains it.
    public var summary: String {
        switch self {
        case .correct: "The client ended well and its result is that of the clean runs."
        case .clearError: "The client said that it failed, by the exit code or the text that `clear_error` states."
        case .crash: "The client ended by a signal, or printed what a sanitizer or a panic of its language prints."
        case .hang: "The client was still running at `limits.wall` or `client.kill_after`, or waited for `limits.idle`."
        case .livelock: "The client sent more commands than `limits.exchanges` or `limits.retries_per_command` allow."
        case .wrongResult: "The client ended well, but its result is not that of the clean runs."
        case .silentLoss: "The client ended well with only the beginning of the result of the clean runs."
        case .safety: "The client did to a card what nobody asked for and what may not be undone."
        case .protocolMisuse: "The client used a card or a reader in a way that their manuals exclude."
        case .leak: "The client ended without giving back contexts, card handles or transactions."
        case .flaky: "The client failed, and did something else when the same run was repeated."
        }
    }
}
