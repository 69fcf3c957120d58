import TapWire

extension FaultCatalogue {
    /// What a PC/SC service does wrong, or lets happen between two calls.
    static let pcsc: [FaultKind] = [
        FaultKind(
            "pcsc.return_code", "The call is not carried out and returns an error.",
            models: "The service, its driver or the reader refused: every call of PC/SC can return an error.",
            [code], scope: .calls(Set(PCSCCall.allCases)),
            effect: .door { .refusal(PCSCReturnCode(named: $0.word("code"))) }),
        FaultKind(
            "pcsc.lost_answer", "The call is carried out and returns an error in place of its answer.",
            models: "The reader was lost behind a command that the card had already carried out.",
            [code], scope: .calls(answered),
            effect: .door { .lostAnswer(PCSCReturnCode(named: $0.word("code"))) }),
        FaultKind(
            "pcsc.removed_inside", "The card is taken away while the call is under way.",
            models: "A person lifts the card before the program is done.",
            [FaultParameter("back_in", .duration, nil, "When it comes back; it stays away without it.")],
            scope: .calls(ofCards), effect: .door { .removal(backAfter: $0.duration("back_in")) }),
        FaultKind(
            "pcsc.reset_by_another", "Another program has reset the card before the call.",
            models: "A second program that shares the reader disconnected with a reset.",
            scope: .calls(ofCards), effect: .door { _ in .reset }),
        FaultKind(
            "pcsc.reader_unplugged", "The reader is unplugged before the call.",
            models: "A cable was pulled or a hub lost power.",
            scope: .calls(answered), effect: .door { _ in .unplugging }),
        FaultKind(
            "pcsc.service_stopped", "The service ends in the call and does not come back.",
            models: "The service was restarted by an update or ended for lack of memory.",
            scope: .calls(Set(PCSCCall.allCases)), effect: .door { _ in .end }),
        FaultKind(
            "pcsc.short_answer", "The answer to a command comes without its last bytes.",
            models: "A driver gave fewer bytes than the reader had sent.",
            [FaultParameter("count", .integer(1...255), .integer(2), "How many bytes are missing.")],
            scope: .calls([.transmit]), effect: .door { .cutAnswer($0.integer("count") ?? 2) }),
        FaultKind(
            "pcsc.slow", "The call takes longer.",
            models: "The reader was busy, or another program held it for a moment.",
            [FaultParameter("by", .duration, .time(.duration(.milliseconds(50))), "How much longer.")],
            scope: .calls(Set(PCSCCall.allCases)), effect: .door { .delay($0.duration("by") ?? .zero) }),
        FaultKind(
            "pcsc.spurious_event", "Who waits for a change is told of one though nothing has changed.",
            models: "A reader reports a card that touched its field for less than a moment.",
            scope: .calls([.getStatusChange]), effect: .door { _ in .spuriousEvent }),
        FaultKind(
            "pcsc.lost_event", "Who waits for a change is not told of the next one.",
            models: "A card came while the program was between two calls, and the word of it was lost.",
            scope: .calls([.getStatusChange]), effect: .door { _ in .lostEvent }),
    ]

    private static let code = FaultParameter(
        "code", .word(PCSCReturnCode.known.dropFirst().map(\.name)), .word("SCARD_F_COMM_ERROR"),
        "The code, by its name in C.")

    /// Calls whose answer has a return code.
    private static let answered = Set(PCSCCall.allCases).subtracting([.getStatusChange])

    /// Calls about a card in a reader.
    private static let ofCards: Set<PCSCCall> = [
        .reconnect, .disconnect, .beginTransaction, .endTransaction, .transmit, .status,
    ]
}

extension PCSCReturnCode {
    /// The code of a name in C; the parameter takes no other names.
    fileprivate init(named name: String?) {
        self = Self.known.first { $0.name == name }?.code ?? .communicationError
    }
}
