/// Why a test does not get what it waits for.
public struct VirtualNFCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is missing, why and what to do, a sentence without a full stop.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    static let noPhone = VirtualNFCError(
        "there is no virtual phone here; give the test one with a trait such as `.card(.suica(balance: 3120))`")
}
