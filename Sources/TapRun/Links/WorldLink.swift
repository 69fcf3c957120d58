import TapField
import TapWire

/// A link whose exchanges end up in the trace of a world.
protocol WorldLink: TagLink {
    /// The world as the exchanges have left it.
    var world: World { get }
}

extension VirtualLink: WorldLink {}
