/// An expectation of a file that a run does not judge, and why.
public struct DroppedExpectation: Hashable, Sendable {
    /// Why an expectation is not judged.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// It is on output, and another client writes differently.
        case anotherClient
        /// It is on a card afterwards, and nobody can look into a real one.
        case realCard
        /// It is on a client that somebody else starts, whose end and output nobody here sees.
        case clientElsewhere
        /// It is on what crossed the air, and nobody hears that between a program and a real reader.
        case realReader
        /// It is on an app and its phone, and no phone reads the cards.
        case noPhone

        /// The reason in words, to stand behind `not judged, since`.
        public var text: String {
            switch self {
            case .anotherClient: "written for another client"
            case .realCard: "a real card cannot be looked into"
            case .clientElsewhere: "the client is started elsewhere"
            case .noPhone: "no app reads the cards on a phone"
            case .realReader: "nobody hears what a program and a real reader exchange"
            }
        }
    }

    /// Where the file states it, such as `expect.result`.
    public let key: String
    /// Why it is not judged.
    public let reason: Reason
}

extension [DroppedExpectation] {
    /// A line for each reason, with the keys that are not judged for it, each once.
    public var lines: [String] {
        DroppedExpectation.Reason.allCases.compactMap { reason in
            var keys: [String] = []
            for dropped in self where dropped.reason == reason && !keys.contains(dropped.key) {
                keys.append(dropped.key)
            }
            return keys.isEmpty ? nil : "not judged, since \(reason.text): \(keys.joined(separator: ", "))"
        }
    }
}
