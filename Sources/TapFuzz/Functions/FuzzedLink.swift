import TapField
import TapWire

/// A link to the cards of one run of a campaign, including faults; a client in this process reads over it.
///
/// The client may pass it to other tasks; exchanges are performed one at a time.
public struct FuzzedLink: TagLink, Sendable {
    let field: FuzzedField

    public var limits: LinkLimits { .none }

    public mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try await field.activated(target, timeout)
    }

    public mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        try await field.received(frame, timeout)
    }
}

actor FuzzedField {
    /// The number of times a client may continue after the limit of exchanges was reached.
    private static let mostRefusals = 64

    private var link: VirtualLink
    private var refusals = 0
    /// A closure that is called when the client still continues, so that it never ends by itself.
    private let isStuck: @Sendable () async -> Void

    init(_ world: World, isStuck: @escaping @Sendable () async -> Void) {
        link = VirtualLink(world)
        self.isStuck = isStuck
    }

    var world: World { link.world }
    var exchangeCount: Int { link.world.exchangeCount }
    var isOverLimit: Bool { refusals > 0 }

    func activated(_ target: Target, _ timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        do { return try link.activated(target, timeout: timeout) } catch { throw await refused(error) }
    }

    func received(_ frame: RFFrame, _ timeout: Duration) async throws(LinkError) -> RFFrame? {
        do { return try link.received(frame, timeout: timeout) } catch { throw await refused(error) }
    }

    private func refused(_ error: LinkError) async -> LinkError {
        guard error.code == .limitReached else { return error }
        refusals += 1
        if refusals > Self.mostRefusals {
            await isStuck()
            // Nothing else stops a task that ignores errors; suspended forever, it costs no time.
            unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        return error
    }
}
