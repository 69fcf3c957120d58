import TapField
import TapWire

/// Objects of a transparent exchange.
extension TransparentSession {
    /// Carries an object out.
    ///
    /// An answer with fewer than eight bits fails a CRC check that is on, as it does on readers with an NXP front end,
    /// and is given all the same.
    mutating func exchange(
        _ object: SessionObject, in world: inout World
    ) throws(ObjectFailure) -> [SessionObject] {
        try checkOpen()
        switch object.tag {
        case .flags: try setFlags(object)
        case .transmittedBits: channel.lastBits = try bits(object)
        case .receivedBits: _ = try bits(object)
        case .timer: waiting = try timer(object)
        case .transmit:
            received = try send(object, in: &world)
        case .receive:
            guard let reception = received else { throw ObjectFailure(status: .noCardAnswer) }
            received = nil
            return Self.objects(of: reception)
        case .transceive:
            guard let reception = try send(object, in: &world) else { throw ObjectFailure(status: .noCardAnswer) }
            return Self.objects(of: reception)
        default: throw ObjectFailure(status: .notSupported)
        }
        return []
    }

    private func send(
        _ object: SessionObject, in world: inout World
    ) throws(ObjectFailure) -> RawChannel.Reception? {
        guard !object.value.isEmpty, object.value.count <= CardLine.maximumLength else {
            throw ObjectFailure(status: .wrongLength)
        }
        // Nothing goes on air without a field.
        guard world.isFieldOn else { return nil }
        return channel.exchange(object.value, in: &world, waiting: waiting ?? Patience.command)
    }

    private static func objects(of reception: RawChannel.Reception) -> [SessionObject] {
        let status: ReceptionStatus =
            switch reception.integrity {
            case .good: []
            case .badCRC: .badCRC
            case .badParity: .badParity
            }
        return [
            .receivedBits(reception.lastBits), .receptionStatus(status), .received(reception.bytes),
        ]
    }

    private mutating func setFlags(_ object: SessionObject) throws(ObjectFailure) {
        guard let flags = object.transmissionFlags else { throw ObjectFailure(status: .wrongLength) }
        channel.appendsCRC = !flags.contains(.withoutSentCRC)
        channel.checksCRC = !flags.contains(.keepReceivedCRC)
        channel.hasParity = !flags.contains(.withoutSentParity) && !flags.contains(.withoutReceivedParity)
    }

    private func bits(_ object: SessionObject) throws(ObjectFailure) -> UInt8 {
        guard object.value.count == 1 else { throw ObjectFailure(status: .wrongLength) }
        guard object.value[0] < 8 else { throw ObjectFailure(status: .wrongData) }
        return object.value[0]
    }
}

/// Objects that switch the protocol.
extension TransparentSession {
    /// Switches to another technology; at type A's layer 3 and above a card is selected.
    ///
    /// FeliCa has no selection: its frames go out as they are, and a host polls by itself.
    mutating func switchProtocol(
        _ object: SessionObject, in world: inout World
    ) throws(ObjectFailure) -> [SessionObject] {
        if dialect == .standard { try checkOpen() }
        // The RC-S300 is given parameters of layer 4 along with the protocol.
        if object.tag == .setParameters {
            try setParameters(object)
            return []
        }
        guard object.tag == .switchProtocol else { throw ObjectFailure(status: .notSupported) }
        guard let target = object.targetProtocol else { throw ObjectFailure(status: .wrongLength) }
        switch target.standard {
        case .felica:
            channel = RawChannel(technology: target.rateNumber == 2 ? .felica424 : .felica212)
            return []
        case .typeA:
            channel = RawChannel()
            return try selectTypeA(target.layerNumber, in: &world)
        case .typeB, .vicinity: throw ObjectFailure(status: .noCardAnswer)
        default: throw ObjectFailure(status: .wrongData)
        }
    }

    private func selectTypeA(_ layer: UInt8, in world: inout World) throws(ObjectFailure) -> [SessionObject] {
        if layer == SessionProtocol.Layer.frames {
            world.switchField(on: false)
            world.switchField(on: true)
            return []
        }
        guard let card = world.findTypeA(.wupa), case .typeA(let tag) = card.identity else {
            throw ObjectFailure(status: .noCardAnswer)
        }
        switch layer {
        case SessionProtocol.Layer.selection: return [SessionObject(.switchProtocol, [tag.sak.rawValue])]
        case SessionProtocol.Layer.highest: return [.atr(ContactlessATR(card.storageCard).bytes)]
        // No card here has ISO/IEC 14443-4.
        case SessionProtocol.Layer.blocks: throw ObjectFailure(status: .noCardAnswer)
        default: throw ObjectFailure(status: .wrongData)
        }
    }
}
