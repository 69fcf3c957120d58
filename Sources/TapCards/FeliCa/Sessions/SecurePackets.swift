import TapCrypto
import TapWire

// Commands inside a session: decrypted, carried out as the equivalent plain command, and the answer encrypted. Source: FeliCa
// Card User's Manual (Unofficial Edition), "secure communication". As in felica-rs, a packet that cannot be decrypted gets no
// answer and the session continues.

extension FeliCaCard {
    /// Answers a secure packet, and returns the number of its blocks; `nil` for silence.
    mutating func answerSecurePacket(
        _ frame: Span<UInt8>, _ rule: FeliCaCommandRule, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> Int? {
        guard var secure = session.secure, let payload = secure.open(frame) else { return nil }
        guard rule.command == .issuance || secure.isDES == rule.command.isDES else { return nil }
        var count = 0
        switch rule.command {
        case .secureRead, .secureReadV2: count = answer(read: payload, of: secure, &context.reliance, into: &buffer)
        case .secureWrite, .secureWriteV2:
            // A write is carried out completely or, without enough power, not at all.
            guard context.power?.steps(of: 1) != 0 else { return nil }
            count = answer(write: payload, of: secure, &context, into: &buffer)
        default:
            context.reliance.rely(on: .issuerCommands)
            guard template.profile.issuerCommands == .refuse else { return nil }
            refuse(.issuanceDisabled, &context.reliance, into: &buffer)
        }
        // The part of the plain answer after the IDm is the payload of the encrypted answer.
        let answer = Array(buffer.bytes[FeliCaPacket.idmLength...])
        buffer.removeAll()
        secure.number = payload.number + 1
        session.secure = secure
        secure.write(answer, answering: rule.code, into: &buffer)
        return count
    }

    private func refuse(
        _ reason: StatusFlag2, at index: Int? = nil, _ reliance: inout CardReliance, into buffer: inout FrameBuffer
    ) {
        var status = StatusFlags(reason)
        if let index { status = refusal(reason, at: index, &reliance) }
        FeliCaPacket.writeStatus(status, code: .writeWithoutEncryption.response, idm: system.idm, into: &buffer)
    }

    private func answer(
        read payload: FeliCaSecurePayload, of secure: FeliCaSecureSession, _ reliance: inout CardReliance,
        into buffer: inout FrameBuffer
    ) -> Int {
        let packet = secure.plain(payload, as: .readWithoutEncryption, system.idm)
        let slice = packet[...]
        let most = secure.isDES ? SecureRead.maximumBlocks : SecureRead.maximumBlocksV2
        guard
            let layout = blockAccess(
                slice.span, most: min(most, template.profile.maxReadBlocks), &reliance, into: &buffer)
        else { return 0 }
        guard layout.blockListEnd(in: slice.span) != nil else {
            refuse(.parameter, &reliance, into: &buffer)
            return 0
        }
        answerRead(slice.span, layout, .session, &reliance, into: &buffer)
        return layout.blockCount
    }

    private mutating func answer(
        write payload: FeliCaSecurePayload, of secure: FeliCaSecureSession, _ context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> Int {
        let packet = secure.plain(payload, as: .writeWithoutEncryption, system.idm)
        let slice = packet[...]
        guard
            let layout = blockAccess(
                slice.span, most: template.profile.maxWriteBlocks, &context.reliance, into: &buffer)
        else { return 0 }
        guard let write = FeliCaWrite(layout, in: slice.span, .session) else {
            refuse(.parameter, &context.reliance, into: &buffer)
            return 0
        }
        if secure.isDES, write.changesKeys(in: slice.span) {
            changeKeys(write, slice.span, &context, into: &buffer)
        } else {
            answerWrite(write, slice.span, &context, into: &buffer)
        }
        return layout.blockCount
    }

    /// Returns the lists of a decrypted packet; refuses a packet with no blocks or more than `most`.
    private func blockAccess(
        _ packet: Span<UInt8>, most: Int, _ reliance: inout CardReliance, into buffer: inout FrameBuffer
    ) -> BlockAccessLayout? {
        if let layout = BlockAccessLayout(packet), (1...most).contains(layout.blockCount) { return layout }
        refuse(.blockCount, &reliance, into: &buffer)
        return nil
    }
}

// Changing keys.

extension FeliCaWrite {
    /// Returns whether an element requests a new key; such a Write contains nothing else.
    fileprivate func changesKeys(in packet: Span<UInt8>) -> Bool {
        var list = layout.blockList
        while let element = list.next(in: packet) {
            if element.accessMode == BlockListElement.AccessMode.keyChange { return true }
        }
        return false
    }
}

extension FeliCaCard {
    /// Changes the keys of nodes, all or none.
    ///
    /// The new key is encrypted with the key of the area around the node. Two points are inferred: areas outside all others use
    /// the system's key instead, and one Write cannot contain both keys and data.
    private mutating func changeKeys(
        _ write: FeliCaWrite, _ packet: Span<UInt8>, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) {
        var changed = changedKeys
        var list = write.layout.blockList
        while let element = list.next(in: packet) {
            let index = list.index - 1
            guard element.accessMode == BlockListElement.AccessMode.keyChange else {
                return refuse(.accessMode, at: index, &context.reliance, into: &buffer)
            }
            guard Int(element.serviceOrder) < write.layout.serviceCount else {
                return refuse(.serviceOrder, at: index, &context.reliance, into: &buffer)
            }
            let code = write.layout.service(Int(element.serviceOrder), in: packet)
            guard let (node, key) = newKey(of: code, element.blockNumber, write.data(index, in: packet)) else {
                return refuse(.keyChange, at: index, &context.reliance, into: &buffer)
            }
            changed[node, default: ChangedKeys()].des = VersionedKey(key: key, version: element.blockNumber)
        }
        if context.isMemoryFailing { return refuse(.memoryError, &context.reliance, into: &buffer) }
        changedKeys = changed
        WriteWithoutEncryption.Response(idm: system.idm, status: .success).write(into: &buffer)
    }

    /// Returns the index of a node and its new key, if the package was made for the node's current key.
    private func newKey(of code: NodeCode, _ version: UInt16, _ package: BlockData) -> (node: Int, key: UInt64)? {
        guard code != .system, !code.attribute.isAuthenticationFree,
            let node = template.index(of: code, in: system), let oldKey = desKey(at: node),
            let parentKey = desKey(at: template.keys[node].parent ?? system.nodes.upperBound),
            let key = FeliCaKeyPackage(package.bytes).newKey(version: version, oldKey: oldKey, parentKey: parentKey)
        else { return nil }
        return (node, key)
    }
}

extension FeliCaCard {
    /// Returns the plain Read or Write equivalent to a secure packet; `nil` for any other packet and for one that the session
    /// cannot decrypt.
    func opened(_ packet: Span<UInt8>) -> [UInt8]? {
        guard FeliCaPacket.isWhole(packet), mode == .mode2, let secure = session.secure,
            let command = template.rules[Int(packet[1])]?.command, let code = command.plainCode,
            secure.isDES == command.isDES, let payload = secure.open(packet)
        else { return nil }
        return secure.plain(payload, as: code, system.idm)
    }
}

extension FeliCaCardCommand {
    fileprivate var isDES: Bool { self == .secureRead || self == .secureWrite }

    /// The plain command equivalent to a session command.
    fileprivate var plainCode: CommandCode? {
        switch self {
        case .secureRead, .secureReadV2: .readWithoutEncryption
        case .secureWrite, .secureWriteV2: .writeWithoutEncryption
        default: nil
        }
    }
}

// Session packets as seen by faults and traces.

extension FeliCaCard {
    /// Decrypts a packet of the session and finds the command it belongs to.
    private func opened(
        _ packet: [UInt8]
    ) -> (frame: SecureFrame, command: FeliCaCardCommand, secure: FeliCaSecureSession, payload: FeliCaSecurePayload)? {
        guard let secure = session.secure, let frame = try? SecureFrame(parsing: packet),
            let command = template.rules[Int(frame.code.command.first)]?.command,
            let payload = secure.channel.open(frame.body, code: frame.code.first)
        else { return nil }
        return (frame, command, secure, payload)
    }

    /// Returns reads and writes as plain packets; for Authentication2, IDi and PMi after the IDm.
    public func plain(_ packet: [UInt8]) -> [UInt8]? {
        guard let (frame, command, secure, payload) = opened(packet) else { return nil }
        switch (command, command.plainCode) {
        case (_, let code?) where frame.code.isResponse:
            return whole(code.response, payload.bytes.prefix(Self.length(ofAnswer: payload.bytes, code)))
        case (_, let code?):
            let plain = secure.plain(payload, as: code, system.idm)
            let slice = plain[...]
            let end = Self.end(ofCommand: slice.span, code)
            return whole(code, plain[FeliCaPacket.idmLength..<end])
        case (.authentication2, nil), (.authentication2V2, nil):
            return frame.code.isResponse ? whole(frame.code, payload.bytes.prefix(16)) : nil
        default: return nil
        }
    }

    /// Builds a packet of this system with its LEN; `nil` if it exceeds the length of a packet.
    private func whole(_ code: CommandCode, _ body: some Collection<UInt8>) -> [UInt8]? {
        guard let length = UInt8(exactly: FeliCaPacket.idmLength + body.count) else { return nil }
        return [length, code.first] + system.idm.rawValue.octets + body
    }

    /// Returns the position where lists and data end and padding begins.
    private static func end(ofCommand packet: Span<UInt8>, _ code: CommandCode) -> Int {
        guard let layout = BlockAccessLayout(packet), let list = layout.blockListEnd(in: packet) else {
            return packet.count
        }
        let data = code == .writeWithoutEncryption ? BlockData.byteCount * layout.blockCount : 0
        return min(packet.count, list + data)
    }

    /// The decrypted answer to a Read or Write of the session.
    public func opened(answer: [UInt8], to command: [UInt8]) -> ProtectedAnswer? {
        guard let (frame, command, secure, payload) = opened(answer), let code = command.plainCode,
            let packet = whole(code.response, payload.bytes.prefix(Self.length(ofAnswer: payload.bytes, code)))
        else { return nil }
        let channel = secure.channel
        return ProtectedAnswer(packet) { changed, isFixed in
            let content = changed.packet.dropFirst(FeliCaPacket.idmLength).prefix(channel.maximumPayload)
            let body = channel.seal(
                Array(content), code: frame.code.first, number: payload.number &+ changed.numberOffset,
                mac: isFixed || changed.numberOffset != 0 ? nil : payload.mac)
            return SecureFrame(code: frame.code, body: body).bytes
        }
    }

    /// Returns the number of payload bytes in an answer, without padding.
    private static func length(ofAnswer payload: [UInt8], _ code: CommandCode) -> Int {
        guard code == .readWithoutEncryption, payload.count > 2, payload[0] == 0 else { return 2 }
        return 3 + BlockData.byteCount * Int(payload[2])
    }

    /// Ends the session with the current system, as if it had never begun.
    package mutating func dropSession() {
        session.end()
    }

    /// Replaces the keys of nodes, for each cipher, and increments their versions, as an authorized reader would.
    package mutating func replaceKeys(of nodes: [NodeCode], in code: SystemCode) {
        guard let system = template.systems.first(where: { $0.code == code }) else { return }
        for node in nodes where !node.attribute.isAuthenticationFree {
            guard let index = template.index(of: node, in: system) else { continue }
            var changed = changedKeys[index] ?? ChangedKeys()
            if let key = desKey(at: index) {
                let version = changed.des?.version ?? template.nodes[index].desVersion
                changed.des = VersionedKey(key: ~key, version: version &+ 1)
            }
            if let key = aesKey(at: index) {
                let version = changed.aes?.version ?? template.nodes[index].aesVersion
                changed.aes = VersionedKey(key: key.map { ~$0 }, version: version &+ 1)
            }
            if changed != ChangedKeys() { changedKeys[index] = changed }
        }
    }
}
