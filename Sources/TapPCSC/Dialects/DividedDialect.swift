import TapWire

/// A reader that has one way to FeliCa cards and another to type A cards.
struct DividedDialect: ReaderDialect {
    private var felica: any ReaderDialect
    private var typeA: any ReaderDialect
    private var isFeliCa = false

    init(felica: any ReaderDialect, typeA: any ReaderDialect) {
        self.felica = felica
        self.typeA = typeA
    }

    var limits: LinkLimits { isFeliCa ? felica.limits : typeA.limits }

    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag? {
        switchOver(to: target.technology, over: channel)
        return isFeliCa
            ? try felica.activate(target, timeout: timeout, over: channel)
            : try typeA.activate(target, timeout: timeout, over: channel)
    }

    mutating func transceive(
        _ frame: AirFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> AirFrame? {
        switchOver(to: frame.technology, over: channel)
        return isFeliCa
            ? try felica.transceive(frame, timeout: timeout, over: channel)
            : try typeA.transceive(frame, timeout: timeout, over: channel)
    }

    mutating func end(over channel: any CardChannel) {
        if isFeliCa { felica.end(over: channel) } else { typeA.end(over: channel) }
    }

    /// Leaves the reader to the other way, which knows nothing of what this one has set.
    private mutating func switchOver(to technology: Technology, over channel: any CardChannel) {
        guard technology.isFeliCa != isFeliCa else { return }
        end(over: channel)
        isFeliCa = technology.isFeliCa
    }
}
