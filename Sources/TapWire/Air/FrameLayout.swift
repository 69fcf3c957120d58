/// A piece of the layout of a frame; the layout of a frame is its pieces one after the other.
///
/// One layout describes frames, explains commands, and tells which of them have what in common.
package indirect enum LayoutPart: Hashable, Sendable {
    case field(FrameField)
    /// A byte that counts the entries of the lists behind it; layouts in text call the count by the symbol.
    case count(FrameField, symbol: String)
    /// As many groups of fields as counted last. Of several kinds of group the first that fills the frame is taken.
    case list([[FrameField]])
    case countedBytes(FrameField)
    case blockList
    case blockData
    /// Status flags 1 and 2; the parts behind them follow only a success, which the one line tells as `done`.
    case status(done: String)
    /// Parts that may be missing together.
    case optional([LayoutPart])
    /// Pages of four bytes up to the end of the frame.
    case pages
    /// The new data of the page whose address lies before it.
    case writtenPage
}

/// A field of a frame: its name, its size, and what its bytes stand for.
package struct FrameField: Hashable, Sendable {
    /// How the bytes are put together.
    package enum Form: Hashable, Sendable {
        case plain
        case littleEndian
        case bigEndian
        /// Reserved: every byte is zero.
        case zero
    }

    package let name: String
    /// Number of bytes; `nil` for all that are left.
    package let byteCount: Int?
    package let form: Form
    package let role: Role

    package init(_ name: String, _ byteCount: Int?, _ form: Form = .plain, _ role: Role = .plain) {
        self.name = name
        self.byteCount = byteCount
        self.form = form
        self.role = role
    }

    /// What the bytes stand for: their text, and what a description says of a frame by them, follow from it.
    package enum Role: Hashable, Sendable {
        /// Bytes without a published meaning.
        case plain
        /// Bytes that the one line shows in hexadecimal.
        case shown
        /// The same behind the name of the field.
        case named
        /// Bytes of any number, which the one line counts.
        case data
        /// Bytes that only a key opens.
        case encrypted
        case text
        case reserved
        /// A number and how the one line tells it.
        case number(NumberWords)

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
        /// A service that block list elements refer to, told with its blocks.
        case service
        case areaEnd
        /// What Search Service Code finds at an index.
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

        /// The address of a page, with the words before it in the one line.
        case page(String)
        case counterAddress
        /// A number of three bytes.
        case counter
        case password
        case pack
        case signature
        case signatureAddress
        /// The fields of GET_VERSION.
        case header, vendor, productType, productSubtype, storageSize, `protocol`
    }

    /// How the one line of a frame tells a number.
    package enum NumberWords: Hashable, Sendable {
        case none
        case plain
        case after(String)
        /// As a count of things, with a mark behind it.
        case counting(String, String, mark: String = "")
    }
}

extension FrameField {
    static func byte(_ name: String, _ role: Role = .number(.none)) -> FrameField { FrameField(name, 1, .plain, role) }

    static func little(_ name: String, _ role: Role) -> FrameField { FrameField(name, 2, .littleEndian, role) }

    static func big(_ name: String, _ role: Role) -> FrameField { FrameField(name, 2, .bigEndian, role) }

    /// A number of two bytes that the one line shows.
    static func number(_ name: String, _ words: NumberWords = .plain) -> FrameField { little(name, .number(words)) }

    /// All bytes that are left.
    static func rest(_ name: String) -> FrameField { FrameField(name, nil, .plain, .data) }

    static func reserved(_ count: Int) -> FrameField { FrameField("reserved", count, .zero, .reserved) }

    /// Bytes that only a key opens; without a count, all that are left.
    static func encrypted(_ name: String, _ count: Int?) -> FrameField { FrameField(name, count, .plain, .encrypted) }

    static let idm = FrameField("IDm", 8, .plain, .idm)
    static let pmm = FrameField("PMm", 8, .plain, .pmm)
    static let systemCode = big("system code", .systemCode)
    static let node = little("node code", .node)
    static let service = little("service code", .service)
    static let area = little("area code", .node)
    static let areaEnd = little("end service code", .areaEnd)
    /// A service of a list that no block list refers to.
    static let listedService = little("service code", .node)
    static let transactionNumber = number("transaction number", .after("TN"))
    static let keyVersion = little("key version", .keyVersion)
}

extension LayoutPart {
    /// The count of a list, which the one line shows by the entries themselves.
    static func count(of things: String, _ symbol: String) -> LayoutPart {
        .count(.byte("number of \(things)"), symbol: symbol)
    }

    /// The count of a list, which the one line shows, with `mark` between it and the entries.
    static func count(_ one: String, _ many: String, _ symbol: String, mark: String = "") -> LayoutPart {
        .count(.byte("number of \(many)", .number(.counting(one, many, mark: mark))), symbol: symbol)
    }
}
