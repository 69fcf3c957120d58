import TapField
import TapPCSC
import TapReaders
import TapWire

/// A link over a reader model in this process, in the dialect a real reader of that kind is spoken to.
struct ModelLink: WorldLink {
    private let channel: ModelChannel
    private var base: PCSCLink

    /// Puts a model before the cards of a world.
    init(_ reader: any PCSCReader, in world: World) {
        channel = ModelChannel(reader, in: world)
        base = PCSCLink(channel)
    }

    var world: World { channel.world }
    var limits: LinkLimits { base.limits }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try await base.activate(target, timeout: timeout)
    }

    mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame? {
        try await base.transceive(frame, timeout: timeout)
    }
}
