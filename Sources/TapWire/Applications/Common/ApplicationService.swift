/// A service of a known application: where it is and how much it holds.
///
/// What a reader may do with it is in the attribute of its code; services whose codes have one number share blocks.
public struct ApplicationService: Hashable, Sendable {
    /// What the service holds, in English words.
    public let title: String
    /// The system the service belongs to.
    public let system: SystemCode
    /// The code of the service.
    public let code: NodeCode
    /// Number of blocks on the cards observed.
    public let blockCount: Int

    public init(_ title: String, _ system: SystemCode, _ code: UInt16, blockCount: Int) {
        self.title = title
        self.system = system
        self.code = NodeCode(code)
        self.blockCount = blockCount
    }
}
