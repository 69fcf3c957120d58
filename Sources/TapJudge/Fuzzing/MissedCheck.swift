import TapField
import TapScenario
import TapWire

/// The check with which a client would have noticed a fault, and the bytes that call for it.
struct MissedCheck: Hashable {
    /// A name that is the same for all faults that this check detects: `status flags of felica.read`, `failed exchanges`.
    let name: String
    /// A sentence such as `the status flags of felica.read were FF 70 instead of 00 00`.
    let evidence: String

    static let failedExchanges = "failed exchanges"
    static let identity = "identity of the card"
    /// The names for what the reader or PC/SC passes on from the card.
    static let hostAnswers = "answers of "

    private init(_ name: String, _ evidence: String) {
        (self.name, self.evidence) = (name, evidence)
    }

    /// - Parameters:
    ///   - record: The run into which the faults were injected.
    ///   - clean: The trace of the baseline run.
    init(of run: FuzzRun, in record: RunRecord, against clean: Trace) {
        let (injection, disturbance) = Disturbance.strongest(of: run, in: record, against: clean)
        let isError = disturbance == .error
        let summary = injection.fault.kind.summary
        let sentence = "\(summary.prefix(1).lowercased())\(summary.dropFirst().prefix { $0 != "." })"
        for effect in injection.fault.kind.effect.parts {
            switch effect {
            case .reader where disturbance == .plausible:
                // A reader answers by itself, so the exchange is chance.
                let call = record.world.trace.firstCall(unlike: clean)?.found
                let isUID = call?.command.starts(with: Disturbance.uidRequest) ?? false
                self.init(isUID ? "UID from the reader" : "content of \(injection.place.operation)", sentence)
            case .reader:
                self.init(
                    isError ? Self.failures(of: injection.place.command) : "\(Self.hostAnswers)the reader", sentence)
            case .transport: self.init(isError ? "return codes of PC/SC" : "\(Self.hostAnswers)PC/SC", sentence)
            case .phone: self.init("errors of the phone", sentence)
            default: continue
            }
            return
        }
        if isError, injection.fault.bringsAnotherCard, record.world.readsReplacement {
            let word = injection.place.operation
            self.init(Self.identity, "another card took the place of the first one after \(word)")
            return
        }
        let trace = record.world.trace
        let error = isError ? Disturbance.firstDifference(from: injection.place, trace, clean, isError: true) : nil
        guard let (found, expected) = error ?? Disturbance.firstDifference(from: injection.place, trace, clean) else {
            let name = injection.place.operation
            let failures = Self.failures(of: injection.place.command)
            self.init(disturbance == .plausible ? "effect of \(name)" : failures, sentence)
            return
        }
        self.init(SeenExchange(found), insteadOf: expected.map { SeenExchange($0) })
    }

    /// Returns the name for silence, damage, NAKs and reader errors, which most libraries report alike.
    ///
    /// Clients read with one function, whatever command it sends, and write with others. A missing check there is another
    /// mistake.
    private static func failures(of command: CommandName?) -> String {
        guard let command, command.isWrite || command.opcode == .passwordAuthentication else {
            return failedExchanges
        }
        return "\(failedExchanges) of \(command.rawValue)"
    }

    private init(_ seen: SeenExchange, insteadOf expected: SeenExchange?) {
        let (name, failures) = (seen.name, Self.failures(of: seen.command.name))
        switch seen.reply {
        case .silence: self.init(failures, "the card did not answer \(name)")
        case .collision, .damaged: self.init(failures, "the answer to \(name) was damaged")
        case .acknowledgement(let value) where !value.isAck:
            self.init(failures, "the card answered \(name) with \(value)")
        case .status(let flags, _, _) where !flags.isSuccess && seen.hasSameCode(as: expected):
            var right = ""
            if case .status(let flags, _, _)? = expected?.reply { right = " instead of \(flags)" }
            self.init("status flags of \(name)", "the status flags of \(name) were \(flags)\(right)")
        case .acknowledgement, .status, .data: self.init(dataOf: seen, insteadOf: expected)
        }
    }

    /// Finds the first part of an answer that contradicts the command or the rest of the answer.
    private init(dataOf seen: SeenExchange, insteadOf expected: SeenExchange?) {
        let (name, bytes, right) = (seen.name, seen.answer, expected?.answer ?? [])
        let isFeliCa = seen.command.name?.feliCaCode != nil
        if isFeliCa, let length = bytes.first, length != bytes.count {
            let count = CountText.of(bytes.count, "byte")
            self.init("length of \(name)", "LEN of the answer to \(name) was \(Hex.text([length])) for \(count)")
            return
        }
        let parts = isFeliCa ? Self.parts.prefix(seen.isSearching ? 1 : Self.parts.count) : []
        let part = parts.first {
            $0.bytes.upperBound <= min(bytes.count, right.count) && bytes[$0.bytes] != right[$0.bytes]
        }
        if let part {
            let texts = [bytes, right].map { Hex.text(Array($0[part.bytes]), separator: " ") }
            self.init(
                "\(part.name) of \(name)",
                "the \(part.name) of the answer to \(name) was \(texts[0]) instead of \(texts[1])")
        } else if bytes.count != right.count {
            self.init(
                "length of \(name)",
                "the answer to \(name) had \(CountText.of(bytes.count, "byte")) instead of \(right.count)")
        } else {
            self.init("content of \(name)", "the answer to \(name) had other data and passed every check")
        }
    }

    /// The parts of a FeliCa answer that follow from the command, in order.
    private static let parts = [
        (name: "response code", bytes: 1..<2), (name: "IDm", bytes: 2..<10),
        (name: "number of blocks", bytes: FeliCaPacket.statusLength..<FeliCaPacket.statusLength + 1),
    ]
}

extension SeenExchange {
    fileprivate var answer: [UInt8] { exchange.answers.first.map { Array($0.frame.bytes) } ?? [] }

    /// A Boolean value that indicates whether the response code is right, or the right one is unknown.
    fileprivate func hasSameCode(as expected: SeenExchange?) -> Bool {
        guard let expected, expected.answer.count > 1 else { return true }
        return answer.dropFirst().first == expected.answer[1]
    }
}

extension World {
    /// A Boolean value that indicates whether the client read from a card and then from the one that a fault brought in its
    /// place, without the first card having come again in between.
    fileprivate var readsReplacement: Bool {
        var isRead = false
        var last: String?
        for event in trace.events {
            switch event.kind {
            case .command(let frame): isRead = CommandName(of: frame)?.isRead ?? false
            case .answer(_, let card, _, _) where isRead:
                if let last, card == Self.nameOfAnother(last) { return true }
                last = card
            case .card(let card, isPresent: true) where card == last: last = nil
            default: break
            }
        }
        return false
    }
}
