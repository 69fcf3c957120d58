import TapField
import TapWire

/// Looks for NDEF messages of which a client has written only a part.
///
/// A write is safe if at every moment a reader finds the old message, the new one or none: NFC Forum Type 2 Tag
/// Operation has the length written last, Type 3 sets WriteFlag meanwhile. Only what the card acknowledged counts, so
/// that a torn page is not laid to the client.
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
            guard let (before, after) = AcknowledgedMemory.messages(of: slot, facts), after != before,
                after != .message([]), after != .beingWritten, after != messages[slot.name]
            else { return nil }
            let found =
                after == .unreadable ? "no message that can be read" : "a mixture of the old message and the new"
            return OutcomeFinding(
                .safety, at: lastWrite,
                "it left \(slot.name) with \(found); write the length last, so that a reader finds the old message, "
                    + "the new one or none")
        }
    }
}
