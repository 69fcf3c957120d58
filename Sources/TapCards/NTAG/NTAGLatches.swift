import TapWire

/// What a tag goes by until a moment at which it looks at its memory again.
///
/// Sources: NTAG213/215/216 data sheet rev. 3.2 for CFGLCK; behaviour of genuine tags for the rest.
struct NTAGLatches: Hashable {
    var mirrorKind = NTAGConfiguration.MirrorKind.none
    var isConfigurationLocked = false
    var access = NTAGAccess(rawValue: 0)
    var auth0: UInt8 = 0xFF
    var staticLocks = StaticLockBits(rawValue: 0)
    var dynamicLocks = DynamicLockBits(groups: 0, blockLocks: 0)

    /// Whether a page may be locked; with most tags none is.
    @inline(__always)
    var hasLocks: Bool { staticLocks.rawValue | dynamicLocks.groups != 0 }

    /// Takes over what is due at a moment.
    mutating func take(
        _ configuration: NTAGConfiguration, _ staticLocks: StaticLockBits, _ dynamicLocks: DynamicLockBits,
        at moment: NTAGQuirks.LatchMoment, quirks: NTAGQuirks
    ) {
        if NTAGQuirks.LatchMoment.powerOn.isDue(at: moment) {
            mirrorKind = configuration.mirrorKind
        }
        if quirks.cfglckLatch.isDue(at: moment) {
            isConfigurationLocked = configuration.access.cfglck
        }
        if quirks.accessLatch.isDue(at: moment) {
            access = configuration.access
            auth0 = configuration.auth0
        }
        if quirks.lockLatch.isDue(at: moment) {
            self.staticLocks = staticLocks
            self.dynamicLocks = dynamicLocks
        }
    }
}
