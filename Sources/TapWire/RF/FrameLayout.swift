/// A part of the layout of a frame; a frame's layout is a sequence of parts.
///
/// The same layout serves to describe frames, explain commands and find out what commands have in common.
package indirect enum LayoutPart: Hashable, Sendable {
    case field(FrameField)
    /// A byte with the number of entries in the lists that follow; `symbol` is its name in layouts printed as text.
    case count(FrameField, symbol: String)
    /// As many groups of fields as the last count gives. If there are several kinds of group, the first kind that fills the
    /// frame is used.
    case list([[FrameField]])
    case countedBytes(FrameField)
    case blockList
    case blockData
    /// Status flags 1 and 2. The parts after them are present only on success, which the one-line description shows as
    /// `done`.
    case status(done: String)
    /// Parts that are present or absent together.
    case optional([LayoutPart])
    /// Pages of four bytes up to the end of the frame.
    case pages
    /// The new data of the page whose address precedes it.
    case writtenPage
}

/// A field of a frame: its name, size and role.
package struct FrameField: Hashable, Sendable {
    /// The encoding of a field's bytes.
    package enum Form: Hashable, Sendable {
        case plain
        case littleEndian
        case bigEndian
        /// Reserved: every byte is zero.
        case zero
    }

    package let name: String
    /// Number of bytes; `nil` for all remaining bytes.
    package let byteCount: Int?
    package let form: Form
    package let role: Role

    package init(_ name: String, _ byteCount: Int?, _ form: Form = .plain, _ role: Role = .plain) {
        self.name = name
        self.byteCount = byteCount
        self.form = form
        self.role = role
    }

    /// The meaning of a field's bytes, which determines their text and how a description of the frame uses them.
    package enum Role: Hashable, Sendable {
        /// Bytes without a published meaning.
        case plain
        /// Bytes that the one-line description shows in hexadecimal.
        case shown
        /// Bytes that the one-line description shows in hexadecimal after the name of the field.
        case named
        /// A variable number of bytes; the one-line description shows only how many.
        case data
        /// Bytes that cannot be decrypted without a key.
        case encrypted
        case text
        case reserved
        /// A number and its form in the one-line description.
        case number(NumberForm)

        case idm
        /// The IDm in an answer to Polling.
        case foundIDm
        case containerIDm
        case pmm
        case systemCode
        /// The system code that Polling looks for.
        case polledSystem
        case requestCode
        case timeSlot
        case requestData
        case node
        /// A service that block list elements refer to, shown together with its blocks.
        case service
        case areaEnd
        /// The result of Search Service Code at an index.
        case searchedNode
        case keyVersion
        case mode
        case continueFlag
        case encryptionType
        case packetType
        case propertyType
        case encryptionIdentifier
        case version
        case purseLimits
        case macCommunication

        /// The address of a page, with the text that precedes it in the one-line description.
        case page(String)
        case counterAddress
        /// A three-byte number.
        case counter
        case password
        case pack
        case signature
        case signatureAddress
        /// The fields of GET_VERSION.
        case header, vendor, productType, productSubtype, storageSize, `protocol`
    }

    /// The form of a number in the one-line description of a frame.
    package enum NumberForm: Hashable, Sendable {
        case none
        case plain
        case after(String)
        /// A count of things, followed by `mark`.
        case counting(String, String, mark: String = "")
    }
}

extension FrameField {
    static func byte(_ name: String, _ role: Role = .number(.none)) -> FrameField { FrameField(name, 1, .plain, role) }

    static func little(_ name: String, _ role: Role) -> FrameField { FrameField(name, 2, .littleEndian, role) }

    static func big(_ name: String, _ role: Role) -> FrameField { FrameField(name, 2, .bigEndian, role) }

    /// A two-byte number that the one-line description shows.
    static func number(_ name: String, _ words: NumberForm = .plain) -> FrameField { little(name, .number(words)) }

    /// All remaining bytes.
    static func rest(_ name: String) -> FrameField { FrameField(name, nil, .plain, .data) }

    static func reserved(_ count: Int) -> FrameField { FrameField("reserved", count, .zero, .reserved) }

    /// Bytes that cannot be decrypted without a key; if `count` is `nil`, all remaining bytes.
    static func encrypted(_ name: String, _ count: Int?) -> FrameField { FrameField(name, count, .plain, .encrypted) }

    static let idm = FrameField("IDm", 8, .plain, .idm)
    static let pmm = FrameField("PMm", 8, .plain, .pmm)
    static let systemCode = big("system code", .systemCode)
    static let node = little("node code", .node)
    static let service = little("service code", .service)
    static let area = little("area code", .node)
    static let areaEnd = little("end service code", .areaEnd)
    /// A listed service that no block list refers to.
    static let listedService = little("service code", .node)
    static let transactionNumber = number("transaction number", .after("TN"))
    static let keyVersion = little("key version", .keyVersion)
}

extension LayoutPart {
    /// The count of a list; the one-line description shows the entries instead of the count.
    static func count(of things: String, _ symbol: String) -> LayoutPart {
        .count(.byte("number of \(things)"), symbol: symbol)
    }

    /// The count of a list, which the one-line description shows, followed by `mark` and the entries.
    static func count(_ one: String, _ many: String, _ symbol: String, mark: String = "") -> LayoutPart {
        .count(.byte("number of \(many)", .number(.counting(one, many, mark: mark))), symbol: symbol)
    }
}
