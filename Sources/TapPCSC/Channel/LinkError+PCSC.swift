import TapWire

extension LinkError {
    /// What a failed call means for a link.
    init(_ error: PCSCError) {
        let code: Code =
            switch error.code {
            case .unsupportedFeature, .unsupportedFeatureElsewhere: .unsupported
            case .insufficientBuffer: .tooLong
            default: .closed
            }
        self.init(code, error.description)
    }

    /// The reader cannot carry a frame; `need` says what does it.
    static func cannotCarry(_ what: String, over reader: String, _ need: String) -> LinkError {
        LinkError(.unsupported, "\(reader) cannot carry \(what); \(need)")
    }

    /// The reader's answer is not what its family says.
    static func strangeAnswer(_ answer: String, to command: String, of reader: String) -> LinkError {
        LinkError(
            .unsupported,
            "\(reader) answered \(command) with \(answer), which its family does not; update its firmware or use another"
        )
    }
}
