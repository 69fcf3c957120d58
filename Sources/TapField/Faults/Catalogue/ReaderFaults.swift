import TapWire

extension FaultCatalogue {
    /// What readers do wrong between a card and their host.
    static let reader: [FaultKind] = [
        FaultKind(
            "reader.chip_status", "The PN532 reports an error in place of the card's answer.",
            models: "The chip met a time-out or a damaged frame on air and told its host by the status byte.",
            [
                FaultParameter(
                    "status", .integer(1...63), .integer(1),
                    "The status byte: 1 time-out, 2 CRC, 3 parity, 5 framing, 9 overflow, 19 format.")
            ],
            effect: .reader { .chipStatus(UInt8($0.integer("status") ?? 1)) }),
        FaultKind(
            "reader.status_word", "The reader answers with a status word and no data.",
            models: "A reader in trouble reports an error by SW1 SW2 alone.",
            [FaultParameter("sw", .bytes(2...2), .bytes([0x63, 0x00]), "SW1 and SW2.")],
            effect: .reader { .statusWord(StatusWord(bytes: $0.bytes("sw"))) }),
        FaultKind(
            "reader.no_status_word", "The data come without the status word behind them.",
            models: "A driver cut the last two bytes of a response.", effect: .reader { _ in .noStatusWord }),
        FaultKind(
            "reader.no_data", "The status word comes without the data before it.",
            models: "A reader reported success and gave nothing, as some do where they have read past the end.",
            effect: .reader { _ in .noData }),
        FaultKind(
            "reader.cut_data", "The last bytes of the data are missing, the status word is there.",
            models: "The buffer of a reader or its driver was shorter than the answer of the card.",
            [FaultParameter("count", .integer(1...255), .integer(1), "How many bytes are missing.")],
            effect: .reader { .cutData($0.integer("count") ?? 1) }),
        FaultKind(
            "reader.extra_data", "More data come than the card sent, the status word behind them.",
            models: "A reader passed on what its buffer held from before.",
            [FaultParameter("bytes", .bytes(1...255), .bytes([0, 0]), "What comes behind the data.")],
            effect: .reader { .extraData($0.bytes("bytes") ?? []) }),
        FaultKind(
            "reader.previous_answer", "The answer to the command before comes again.",
            models: "Host and reader lost step, and an answer was taken for that of the next command.",
            effect: .reader { _ in .previousAnswer }),
        FaultKind(
            "reader.no_card", "The reader says that no card is there.",
            models: "The presence check of a reader failed for a moment though the card lay still.",
            effect: .reader { _ in .noCard }),
        FaultKind(
            "reader.failed", "The exchange with the reader fails without an answer.",
            models: "The USB transfer to a reader broke off.", effect: .reader { _ in .failed }),
    ]
}

extension StatusWord {
    fileprivate init(bytes: [UInt8]?) {
        self = bytes.flatMap { $0.count == Self.length ? StatusWord($0[0], $0[1]) : nil } ?? .noInformation
    }
}
