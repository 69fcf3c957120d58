import TapField
import TapWire

/// Looks for NDEF messages of which a client has written only a part.
///
/// A write is safe if at every moment a reader finds the old message, the new one or none: NFC Forum Type 2 Tag
/// Operation has the length written last, Type 3 sets WriteFlag meanwhile. The client is to blame where the card holds
/// no such message, and would hold none if it had carried out what it acknowledged and nothing else: a torn page and an
/// acknowledgement that was lost are none of its doing.
struct HalfWrittenOracle {
    private let record: RunRecord
    private let messages: [String: StoredMessage]

    /// Creates an oracle.
    ///
    /// - Parameters:
    ///   - record: The run.
    ///   - messages: The message each card holds after the clean run, where that wrote one.
    init(_ record: RunRecord, messages: [String: StoredMessage]) {
        self.record = record
        self.messages = messages
    }

    var findings: [OutcomeFinding] {
        let facts = RunFacts(record.world)
        let lastWrite = facts.items.last { $0.isWrite && $0.isAccepted }?.number
        return record.world.cards.compactMap { slot in
            guard let (before, after) = AcknowledgedMemory.messages(of: slot, facts),
                let stored = AcknowledgedMemory.stored(on: slot)
            else { return nil }
            let allowed = [before, .message([]), .beingWritten] + (messages[slot.name].map { [$0] } ?? [])
            guard !allowed.contains(after), !allowed.contains(stored) else { return nil }
            let found =
                after == .unreadable ? "no message that can be read" : "a mixture of the old message and the new"
            return OutcomeFinding(
                .safety, at: lastWrite,
                "it left \(slot.name) with \(found); write the length last, so that a reader finds the old message, "
                    + "the new one or none")
        }
    }
}
