import TapCrypto
import TapWire

// Mutual authentication. Sources: FeliCa Card User's Manual (Unofficial Edition), "mutual authentication"; the rules about
// nodes are those of felica-rs, partly tested on cards. A packet that breaks a rule gets no answer.

extension FeliCaCard {
    /// Answers Authentication1 with DES keys, and returns the number of nodes.
    mutating func answerAuthentication1(
        _ frame: Span<UInt8>, _ mayTrail: Bool, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> Int? {
        guard let layout = Authentication1.Layout(frame),
            template.fits(frame, layout.end + Authentication1.challengeLength, mayTrail, &context.reliance)
        else { return nil }
        let areas = layout.areas.nodes(in: frame)
        let services = layout.services.nodes(in: frame)
        guard let handshake = handshake(areas: areas, services: services, &context.reliance) else {
            if hasLongDESKey(areas + services) { context.reliance.refuse(unpublished: .authentication1) }
            return nil
        }
        let secure = FeliCaSecureSession(
            .des(handshake), challenge1A: frame.array(layout.end..<layout.end + Authentication1.challengeLength),
            challenge: challenge(Authentication1.challengeLength, &context.random), nodes: services)
        begin(secure)
        Authentication1.Response(idm: system.idm, challenge1B: secure.challenge1B, challenge2A: secure.challenge2A)
            .write(into: &buffer)
        return areas.count + services.count
    }

    /// Answers Authentication1 with AES keys, and returns the number of nodes.
    mutating func answerAuthentication1V2(
        _ frame: Span<UInt8>, _ mayTrail: Bool, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> Int? {
        guard frame.count > Authentication1V2.countOffset, frame[FeliCaPacket.idmLength] == 0,
            let list = NodeListLayout(frame, countOffset: UInt8(Authentication1V2.countOffset)),
            template.fits(frame, list.end + Authentication1V2.challengeLength, mayTrail, &context.reliance)
        else { return nil }
        let nodes = list.nodes(in: frame)
        guard let keys = aesKeys(of: nodes) else { return nil }
        let challenge = challenge(Authentication1V2.challengeLength, &context.random)
        let challenge3 = template.definition.challenge == nil ? context.random.next().octets.suffix(4) : [0, 0, 0, 0]
        let handshake = FeliCaAESHandshake(keys: keys, idm: system.idm.rawValue, challenge3: Array(challenge3))
        let secure = FeliCaSecureSession(
            .aes(handshake), challenge1A: frame.array(list.end..<list.end + Authentication1V2.challengeLength),
            challenge: challenge, nodes: nodes)
        begin(secure)
        Authentication1V2.Response(
            idm: system.idm, challenge1B: secure.challenge1B, challenge2A: secure.challenge2A,
            challenge3C: handshake.challenge3
        ).write(into: &buffer)
        return nodes.count
    }

    private mutating func begin(_ secure: FeliCaSecureSession) {
        session.mode = .mode1
        session.secure = secure
    }

    /// Answers Authentication2 for the cipher used in Authentication1, with issue ID and parameter.
    ///
    /// In Mode2 it may be repeated; the transaction number continues.
    mutating func answerAuthentication2(
        _ frame: Span<UInt8>, _ rule: FeliCaCommandRule, _ reliance: inout CardReliance, into buffer: inout FrameBuffer
    ) -> Bool {
        let isDES = rule.command == .authentication2
        guard let secure = session.secure, secure.isDES == isDES else { return false }
        let end = FeliCaPacket.idmLength + secure.handshake.challengeLength
        guard template.fits(frame, end, rule.ignoresTrailingBytes, &reliance),
            frame.array(FeliCaPacket.idmLength..<end) == secure.challenge2B
        else { return false }
        session.mode = .mode2
        let issue = template.definition.systems[session.system].issue
        secure.write(issue.id.octets + issue.parameter.octets, answering: rule.code, into: &buffer)
        return true
    }

    /// Returns the card's own challenge: the one fixed by its definition, or a new one.
    private func challenge(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        if let fixed = template.definition.challenge, fixed.count >= count { return Array(fixed.prefix(count)) }
        return Array((random.next().octets + random.next().octets).prefix(count))
    }
}

// The nodes an authentication may name, and their keys.

extension FeliCaCard {
    /// Returns the keys of an Authentication1, or `nil` if a rule about its nodes is broken.
    ///
    /// The area list begins with an area and continues with areas or FFFF, the system. The service list contains any nodes, at
    /// least one with a key, and nodes without a key last.
    private func handshake(
        areas: [NodeCode], services: [NodeCode], _ reliance: inout CardReliance
    ) -> FeliCaDESHandshake? {
        let counts = 1...Authentication1.maximumNodes
        guard counts.contains(areas.count), counts.contains(services.count), areas[0].attribute.kind == .area,
            let systemKey = desKey(of: .system)
        else { return nil }
        var groupKeys = [systemKey]
        for area in areas {
            guard area == .system || area.attribute.kind == .area, let key = desKey(of: area) else { return nil }
            groupKeys.append(key)
        }
        guard let userKeys = keys(of: services, { desKey(of: $0) }) else { return nil }
        if !holdsPath(areas, to: services) {
            reliance.rely(on: .authNodePath)
            if template.profile.authNodePath == .full { return nil }
        }
        return FeliCaDESHandshake(groupKeys: groupKeys, userKeys: userKeys, idm: system.idm.rawValue)
    }

    /// Returns the keys of an Authentication1 v2, or `nil` if a rule about its nodes is broken.
    private func aesKeys(of nodes: [NodeCode]) -> [[UInt8]]? {
        guard nodes.count <= Authentication1V2.maximumNodes else { return nil }
        return keys(of: nodes) { code in template.index(of: code, in: system).flatMap { aesKey(at: $0) } }
    }

    /// Returns the keys of the nodes that need one, which must come before those that do not; `nil` if there are none.
    private func keys<Key>(of nodes: [NodeCode], _ key: (NodeCode) -> Key?) -> [Key]? {
        var keys: [Key] = []
        var hasFree = false
        for code in nodes {
            guard template.index(of: code, in: system) != nil else { return nil }
            if code.attribute.isAuthenticationFree {
                hasFree = true
            } else {
                guard !hasFree, let key = key(code) else { return nil }
                keys.append(key)
            }
        }
        return keys.isEmpty ? nil : keys
    }

    /// Returns whether a node or the system has a DES key of 16 bytes, whose use is unpublished.
    private func hasLongDESKey(_ nodes: [NodeCode]) -> Bool {
        ([.system] + nodes).contains { code in
            template.index(of: code, in: system).map { template.keys[$0].isLongDES } ?? false
        }
    }

    /// The current DES key of a node, or `nil` if it has none that the engine can use.
    private func desKey(of code: NodeCode) -> UInt64? {
        template.index(of: code, in: system).flatMap { desKey(at: $0) }
    }

    /// The current DES key of the node at an index, or `nil` if it has none that the engine can use.
    func desKey(at index: Int) -> UInt64? {
        guard template.nodes[index].desVersion != RequestService.absent, !template.keys[index].isLongDES else {
            return nil
        }
        return changedKeys[index]?.des?.key ?? template.keys[index].des
    }

    /// The current AES key of the node at an index, or `nil` if it has none.
    func aesKey(at index: Int) -> [UInt8]? {
        guard template.nodes[index].aesVersion != RequestService.absent else { return nil }
        return changedKeys[index]?.aes?.key ?? template.keys[index].aes
    }

    /// Returns whether the area list contains all areas around each service.
    private func holdsPath(_ areas: [NodeCode], to services: [NodeCode]) -> Bool {
        services.allSatisfy { code in
            var parent = template.index(of: code, in: system).flatMap { template.keys[$0].parent }
            while let index = parent {
                guard areas.contains(template.nodes[index].code) else { return false }
                parent = template.keys[index].parent
            }
            return true
        }
    }
}
