import TapWire

/// The newest trips of a card.
struct History: Hashable {
    struct Trip: Hashable {
        let date: String
        let kind: String
        let balance: UInt16
        /// The cost of the trip; unknown for the oldest.
        var fare: Int?
    }

    private let idm: IDm
    private var trips: [Trip] = []

    /// Reads the records, newest first.
    init(_ idm: IDm, _ blocks: [BlockData], _ mistake: Mistake) throws {
        self.idm = idm
        let records = blocks.map { TransitHistoryRecord($0) }.filter { !$0.isUnused }
        if mistake == .none { try Self.check(records, of: blocks) }
        for (index, record) in records.enumerated() {
            // MISTAKE knows-every-kind: one machine of a kind that is new, and the program ends.
            // swift-format-ignore: NeverForceUnwrap
            let kind = mistake == .knowsEveryKind ? record.kind!.rawValue : record.kind?.rawValue ?? "unknown"
            var trip = Trip(date: record.date.description, kind: kind, balance: record.balance)
            if index + 1 < records.count {
                let before = records[index + 1].balance
                // MISTAKE subtracts-balances: a balance that grew makes the difference of unsigned numbers overflow.
                let fare =
                    mistake == .subtractsBalances ? Int(before - record.balance) : Int(before) - Int(record.balance)
                trip.fare = fare
            }
            trips.append(trip)
        }
    }

    /// Returns whether the records can be a history: valid dates, newest first, nothing after the first unused record.
    private static func check(_ records: [TransitHistoryRecord], of blocks: [BlockData]) throws {
        guard blocks.prefix(records.count).allSatisfy({ !TransitHistoryRecord($0).isUnused }) else {
            throw Unreadable("a record stands behind an unused one")
        }
        guard records.allSatisfy({ $0.date.date != nil }) else {
            throw Unreadable("a record has a date that does not exist")
        }
        guard zip(records, records.dropFirst()).allSatisfy({ $0.sequence > $1.sequence }) else {
            throw Unreadable("the records are not in the order of a history")
        }
    }

    /// The result as JSON.
    var json: String {
        let items = trips.map { trip in
            let fare = trip.fare.map(String.init) ?? "null"
            return #"{"date": "\#(trip.date)", "kind": "\#(trip.kind)", "balance": \#(trip.balance), "fare": \#(fare)}"#
        }
        return #"{"idm": "\#(idm)", "trips": [\#(items.joined(separator: ", "))]}"#
    }
}
