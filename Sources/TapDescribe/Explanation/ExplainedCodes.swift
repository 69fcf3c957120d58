import TapWire

extension Explanation {
    /// Status flag 2 of FeliCa answers.
    static let statusFlags: [Explanation] = StatusFlag2.known.map { statusFlag($0, place: nil) }

    /// A status flag 2, with what status flag 1 says where it is known.
    static func statusFlag(_ entry: CodeEntry<StatusFlag2>, place: StatusFlags?) -> Explanation {
        let flag = entry.code
        let listed = flag == .normal ? "00 00" : "FF \(flag)"
        let where_ = place.map { ["Status flag 1 is \(Hex.digits($0.flag1, width: 2)): \($0.placeText)."] } ?? []
        return Explanation(
            .statusFlag, place?.description ?? listed, title: entry.name, code: "FeliCa, status flag 2 \(flag)",
            summary: entry.explanation, notes: where_ + entry.notes, source: entry.source,
            aliases: place == nil ? ["\(flag)", "status \(flag)", entry.name] : [])
    }

    /// The four-bit answers NTAG21x uses.
    static let acknowledgements: [Explanation] =
        [Acknowledgement.ack, .invalidArgument, .checkFailed, .authenticationLimit, .writeFailed].map { nibble in
            let digit = Hex.digits(nibble.rawValue, width: 1)
            return Explanation(
                .acknowledgement, nibble.isAck ? "ACK" : "NAK \(digit)", title: nibble.isAck ? "ACK" : "NAK \(digit)",
                code: "Type 2, four bits \(digit)",
                summary: "\(nibble.meaning.prefix(1).uppercased())\(nibble.meaning.dropFirst()).",
                layouts: [.line("answer", "\(digit) (4 bits, no CRC)")],
                notes: nibble.isAck
                    ? [nibble.advice]
                    : [nibble.advice, "Every NAK sends the tag back to IDLE or HALT and ends PWD_AUTH."],
                source: "NTAG213/215/216 data sheet rev. 3.2, \"ACK and NAK\"",
                aliases: ["\(digit):4", nibble.isAck ? "ACK A" : "NAK"])
        }

    /// The known system codes.
    static let systems: [Explanation] = SystemCode.known.map { entry in
        let services = KnownApplication.all.flatMap(\.services).filter { $0.system == entry.code }
        let list = services.map { "\($0.code) \($0.title), \($0.code.attribute.text)" }
        let own = KnownApplication.all.filter { $0.services.contains { $0.system == entry.code } }.map(\.name)
        return Explanation(
            .system, "\(entry.code)", title: entry.name,
            code: "system code \(entry.code), on the wire \(wire(entry.code.rawValue.byteSwapped))",
            summary: entry.explanation, layouts: [],
            notes: ["Polling \(entry.code) finds it."]
                + (own.count > 1 ? [own.joined(separator: ", ") + " share it."] : [])
                + list,
            source: entry.source.isEmpty ? "lists of Proxmark3, TRETJapanNFCReader and felica-tool" : entry.source,
            aliases: ["system \(entry.code)", entry.name])
    }

    /// A number as two bytes, the low one first.
    static func wire(_ number: UInt16) -> String {
        Hex.text([UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)], separator: " ")
    }
}
