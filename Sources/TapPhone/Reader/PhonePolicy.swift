import TapField

/// What phones do where public sources leave it open or contradict each other.
///
/// Marks: [S] headers of the SDK, [F] reported from devices, [?] not settled.
public struct PhonePolicy: Hashable, Sendable {
    /// How an app sees a NAK of a tag.
    public enum Refusal: Hashable, Sendable {
        /// As error 100: reported for a wrong password, reading past the end and a second CRC [F].
        case connectionLost
        /// As error 102, the meaning that the headers give it [S].
        case responseError
        /// As one byte without an error, as code of some published apps expects it [F].
        case oneByte
    }

    /// What a second session is told that begins while another is open.
    public enum SecondSession: Hashable, Sendable {
        /// Error 203 at once, as devices show it [F].
        case busy
        /// It waits until the first one ends, as the text of the class has it [S].
        case queued
    }

    /// Which number queryNDEFStatus gives for a Type 2 tag; not verified on a device [?].
    public enum Capacity: Hashable, Sendable {
        /// The longest message, as the documentation names it: 492 bytes on NTAG215.
        case longestMessage
        /// The data area that the capability container announces: 496 bytes on NTAG215.
        case dataArea
    }

    /// How an app sees a NAK; the tag has lost its selection with each of them [F].
    public var refusal: Refusal
    /// The error of readNDEF where pages need a password, also after a raw PWD_AUTH: that it fails is reported [F],
    /// its number is not [?].
    public var protectedRead: PhoneError.Code
    /// The error of queryNDEFStatus where even the capability container needs a password, with the text `Stack Error`
    /// [F].
    public var protectedContainer: PhoneError.Code
    /// Most bytes of an answer to a raw MIFARE command: 67 pages of FAST_READ arrive, 68 do not [F].
    public var longestMiFareAnswer: Int
    /// What a second session is told [?].
    public var secondSession: SecondSession
    /// Which number queryNDEFStatus gives [?].
    public var capacity: Capacity

    /// Creates a policy; each part has its default.
    public init(
        refusal: Refusal = .connectionLost, protectedRead: PhoneError.Code = .tagResponseError,
        protectedContainer: PhoneError.Code = .tagNotConnected, longestMiFareAnswer: Int = 268,
        secondSession: SecondSession = .busy, capacity: Capacity = .longestMessage
    ) {
        self.refusal = refusal
        self.protectedRead = protectedRead
        self.protectedContainer = protectedContainer
        self.longestMiFareAnswer = longestMiFareAnswer
        self.secondSession = secondSession
        self.capacity = capacity
    }

    /// What most reports agree on.
    public static let usual = PhonePolicy()
    /// NAKs arrive as one byte.
    public static let refusalsAsBytes = PhonePolicy(refusal: .oneByte)
    /// What headers and documentation say, where reports from devices say something else.
    public static let documented = PhonePolicy(refusal: .responseError, secondSession: .queued)
}
