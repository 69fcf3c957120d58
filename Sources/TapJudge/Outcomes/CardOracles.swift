import TapCards
import TapField
import TapScenario
import TapWire

/// Oracles for what the manuals of FeliCa cards forbid.
extension Oracle {
    /// The number of commands to a card that has left that are tolerated before the client should have noticed.
    private static let toleratedStale = 2
    /// The number of times in a row that a card may refuse the same command, or as many blocks or more: a reader that tries
    /// 12, 10, 8, 4 and 1 blocks asks five times.
    private static let toleratedRefusals = 5

    static func wrongLengths(_ facts: RunFacts) -> [Misdeed] {
        guard let item = facts.felica.first(where: { Int($0.command.bytes.first ?? 0) != $0.command.bytes.count })
        else { return [] }
        let (said, sent) = (item.command.bytes.first ?? 0, item.command.bytes.count)
        return [
            Misdeed(
                .protocolMisuse, key: "a packet with a wrong LEN", at: item.number,
                "it sent a packet of \(CountText.of(sent, "byte")) whose LEN says \(said)")
        ]
    }

    /// Finds commands to an IDm that neither a card nor a reader has reported, or that no card in the last Polling has.
    ///
    /// The systems of a card differ in the upper four bits of the IDm, which a reader may set by itself.
    static func wrongIDms(_ facts: RunFacts) -> [Misdeed] {
        var known: Set<UInt64> = []
        var last: Set<UInt64> = []
        var stale = 0
        var misdeeds: [Misdeed] = []
        for item in facts.felica {
            if item.command.name?.feliCaCode == .polling {
                let answers = item.exchange.answers.filter { $0.frame.integrity == .good && $0.frame.bytes.count >= 10 }
                if !answers.isEmpty { last = [] }
                for answer in answers { last.insert(card(IDm(UInt64(octets: answer.frame.bytes[2..<10])))) }
                known.formUnion(last)
                continue
            }
            guard let idm = item.command.idm else { continue }
            // Programs ask for a service to find out whether a card is still there.
            let isPresenceCheck = item.command.name?.feliCaCode == .requestResponse
            if !known.contains(card(idm)), !facts.isReported(byReader: idm), !facts.hasMisledHost(before: item.number) {
                misdeeds.append(
                    Misdeed(
                        .protocolMisuse, key: "IDm \(idm)", at: item.number,
                        "it sent \(item.name) to IDm \(idm), which no card has reported"))
            } else if known.contains(card(idm)), !last.contains(card(idm)), item.exchange.answers.isEmpty,
                !isPresenceCheck
            {
                stale += 1
                guard stale == toleratedStale + 1 else { continue }
                misdeeds.append(
                    Misdeed(
                        .protocolMisuse, key: "commands to a stale IDm", at: item.number,
                        "it keeps sending to IDm \(idm), although another card answered its last Polling"))
            }
        }
        return misdeeds
    }

    private static func card(_ idm: IDm) -> UInt64 { idm.ofSystem(0).rawValue }

    /// Finds repeated reads of as many blocks as the card has just refused, or more.
    static func tooManyBlocks(_ facts: RunFacts) -> [Misdeed] {
        var refused = 0
        var count = 0
        for item in facts.felica where item.command.name?.feliCaCode == .readWithoutEncryption {
            guard case .status(let flags, _, _) = item.reply, flags.reason == .blockCount else {
                count = 0
                continue
            }
            let blocks = item.command.blocks.count
            count = count > 0 && blocks >= refused ? count + 1 : 1
            refused = blocks
            guard count > toleratedRefusals else { continue }
            return [
                Misdeed(
                    .protocolMisuse, key: "more blocks than the card returns, again and again", at: item.number,
                    "it asked for \(CountText.of(blocks, "block")) again and again, although the card refuses that with "
                        + "\(flags)")
            ]
        }
        return []
    }

    /// Finds blocks that a card refused to return at once and that were never read in smaller portions, although the client
    /// exits successfully.
    static func givenUpBlocks(_ facts: RunFacts) -> [Misdeed] {
        guard facts.end.exit == 0 else { return [] }
        let reads = facts.felica.filter { $0.command.name?.feliCaCode == .readWithoutEncryption }
        let read = Set(reads.filter(\.isAccepted).flatMap { WriteTarget.all(of: $0.command) })
        let refused = reads.first { item in
            guard case .status(let flags, _, _) = item.reply, flags.reason == .blockCount else { return false }
            return read.isDisjoint(with: WriteTarget.all(of: item.command))
        }
        guard let item = refused, case .status(let flags, _, _) = item.reply else { return [] }
        let blocks = CountText.of(item.command.blocks.count, "block")
        return [
            Misdeed(
                .silentLoss, key: "blocks that it never read", at: item.number,
                "it asked for \(blocks) at once, which the card refuses with \(flags), and never read them in smaller portions"
            )
        ]
    }

    static func repeatedRefusals(_ items: [SeenExchange]) -> [Misdeed] {
        var last: [UInt8] = []
        var count = 0
        var misdeeds: [Misdeed] = []
        for item in items {
            count = item.isRefused ? (item.command.bytes == last ? count + 1 : 1) : 0
            last = item.command.bytes
            guard count == toleratedRefusals + 1 else { continue }
            misdeeds.append(
                Misdeed(
                    .protocolMisuse, key: "refused \(Hex.text(item.command.bytes))", at: item.number,
                    "it sent the same \(item.name) \(count) times in a row, although the card refuses it with "
                        + "\(item.reply)"))
        }
        return misdeeds
    }
}

/// Oracles for what the data sheet of NTAG21x forbids.
extension Oracle {
    /// The number of commands to a tag in IDLE after a NAK that are tolerated before the client should have noticed.
    private static let toleratedWithoutSelection = 2

    /// Finds commands to a tag in IDLE or HALT after a NAK, without a new selection.
    static func commandsWithoutSelection(_ facts: RunFacts) -> [Misdeed] {
        var nak: Int?
        var count = 0
        for item in facts.typeA {
            if item.command.name?.layer == .selection {
                nak = nil
                count = 0
            } else if item.isRefused {
                nak = item.number
                count = 0
            } else if !item.exchange.answers.isEmpty {
                nak = nil
                count = 0
            } else if let nak, item.silentStates.contains(where: { ["IDLE", "HALT"].contains($0.state) }) {
                count += 1
                guard count > toleratedWithoutSelection else { continue }
                return [
                    Misdeed(
                        .protocolMisuse, key: "commands that a tag in IDLE does not hear", at: item.number,
                        "it sent \(count) commands after the NAK of exchange \(nak) without selecting the tag again, "
                            + "which is back in IDLE and hears none of them")
                ]
            }
        }
        return []
    }

    /// Finds reads beyond the last page that the tag has, or claims to have.
    static func readsBeyond(_ facts: RunFacts) -> [Misdeed] {
        let layouts = facts.world.cards.compactMap { slot in
            (slot.original as? NTAGCard)?.template.definition.product.layout
        }
        guard var last = layouts.map({ $0.pageCount - 1 }).max() else { return [] }
        // A client that asked for the size and got no answer has to find the last page by its NAK.
        var knowsSize = true
        for item in facts.typeA {
            if let claimed = item.claimedLastPage { last = max(last, claimed) }
            if item.command.name?.opcode == .getVersion { knowsSize = item.isAccepted }
            guard item.command.name?.opcode == .read || item.command.name?.opcode == .fastRead,
                let pages = item.command.pages, pages.upperBound > last, knowsSize
            else { continue }
            return [
                Misdeed(
                    .protocolMisuse, key: "a page after the last", at: item.number,
                    "it asked for page \(pages.upperBound); the last page of the tag is \(last)")
            ]
        }
        return []
    }

    static func invertedReads(_ facts: RunFacts) -> [Misdeed] {
        for item in facts.typeA where item.command.name?.opcode == .fastRead {
            guard let request = try? FastRead.Request(parsing: item.command.bytes), request.first > request.last else {
                continue
            }
            return [
                Misdeed(
                    .protocolMisuse, key: "FAST_READ of pages backwards", at: item.number,
                    "it sent FAST_READ from page \(request.first) back to page \(request.last)")
            ]
        }
        return []
    }
}

extension RunFacts {
    /// Returns whether a reader reported an IDm to the client, either a card's or one that a fault substituted.
    fileprivate func isReported(byReader idm: IDm) -> Bool {
        world.trace.calls.contains { $0.outcome.answer.contains(idm.rawValue.octets) }
    }

    /// Returns whether a fault changed a reader's answer before an exchange; the trace does not show that for a chip's serial
    /// line.
    fileprivate func hasMisledHost(before number: Int) -> Bool {
        zip(world.plan.entries, world.plan.tallies).contains { entry, tally in
            entry.fault.changesReaderAnswer && tally.injected.contains { $0 < number }
        }
    }
}

extension SeenExchange {
    /// The last page according to what the client received: GET_VERSION, or the capability container.
    fileprivate var claimedLastPage: Int? {
        guard case .data(let bytes) = reply else { return nil }
        if command.name?.opcode == .getVersion, let version = try? GetVersion.Response(parsing: bytes) {
            return NTAGProduct(version).map { $0.layout.pageCount - 1 }
                ?? version.storageBytes.map { $0.upperBound / PageData.byteCount }
        }
        guard let first = command.pages?.lowerBound, first <= NTAGLayout.capabilityContainerPage else { return nil }
        let start = (NTAGLayout.capabilityContainerPage - first) * PageData.byteCount
        guard bytes.count >= start + PageData.byteCount,
            let container = try? CapabilityContainer(parsing: Array(bytes[start..<start + PageData.byteCount]))
        else { return nil }
        return (Type2DataArea.firstAddress + container.dataAreaSize) / PageData.byteCount - 1
    }
}

extension Oracle {
    /// The number of tolerated wrong passwords: a single one may be an old password, more are guesses.
    private static let toleratedPasswords = 1

    /// Finds guessed passwords.
    ///
    /// A password is wrong if no tag of the run has it, whatever the answer: a fault may refuse the right one, which the
    /// client may repeat.
    static func guessedPasswords(_ facts: RunFacts) -> [Misdeed] {
        let right = facts.world.cards.compactMap { slot -> [UInt8]? in
            guard let tag = slot.original as? NTAGCard, tag.template.definition.isPasswordKnown else { return nil }
            return tag[page: tag.template.definition.product.layout.passwordPage].bytes
        }
        let tried = facts.exchanges.compactMap { item in
            item.command.password.map { (number: item.number, password: $0) }
        }
        let wrong = tried.filter { !right.contains($0.password) }
        guard let last = wrong.last else { return [] }
        let distinct = Set(tried.map(\.password)).count
        guard wrong.count > toleratedPasswords || distinct > 1 else { return [] }
        let passwords = CountText.of(distinct, "password")
        return [
            Misdeed(
                .safety, .passwordGuessing, key: "wrong passwords", amount: wrong.count, at: last.number,
                "it tried \(passwords) in \(CountText.of(tried.count, "PWD_AUTH")), "
                    + "\(wrong.count) of them wrong; AUTHLIM wrong passwords in a row lock a tag forever")
        ]
    }
}
