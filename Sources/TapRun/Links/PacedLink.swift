import TapDoors
import TapField
import TapWire

/// A link to virtual cards that can let card time pass as real time.
struct PacedLink<Base: WorldLink>: WorldLink {
    private var base: Base
    private let isPaced: Bool
    private let started = ContinuousClock.now

    init(_ base: Base, isPaced: Bool) {
        self.base = base
        self.isPaced = isPaced
    }

    var limits: LinkLimits { base.limits }
    var world: World { base.world }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        let tag = try await base.activate(target, timeout: timeout)
        catchUp()
        return tag
    }

    mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame? {
        let answer = try await base.transceive(frame, timeout: timeout)
        catchUp()
        return answer
    }

    private func catchUp() {
        if isPaced { BlockingThread.sleep(until: started + base.world.now) }
    }
}
