import TapWire

/// What drivers do with control codes.
///
/// The CCID driver of Linux takes escape commands under code 1, drivers of Windows under code 3500; both are answered.
/// Under 3400 a driver says which features it has.
enum ReaderControl {
    /// Answers a control code.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - properties: What the driver says of the reader.
    ///   - escape: Answers an escape command.
    static func answer(
        _ code: UInt32, properties: [ReaderProperty] = [], escape: () -> ReaderAnswer
    ) -> ReaderAnswer {
        switch ControlCode(code) {
        case let code where code.isEscape: escape()
        case .features: .answer(features(hasProperties: !properties.isEmpty).flatMap(\.bytes))
        case .properties where !properties.isEmpty: .answer(properties.flatMap(\.bytes))
        default: .unsupported
        }
    }

    private static func features(hasProperties: Bool) -> [ReaderFeature] {
        (hasProperties ? [ReaderFeature(.properties, .properties)] : []) + [ReaderFeature(.escape, .vendorExchange)]
    }
}
