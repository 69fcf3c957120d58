import TapWire

/// The page writes that turn one memory image into another without a torn message in between.
package struct NDEFWritePlan {
    /// The pages to write, in this order.
    package private(set) var writes: [(page: UInt8, data: PageData)] = []
    /// The pages that were looked at.
    let pages: Range<Int>
    /// What they hold in the end.
    let expected: [PageData]

    /// Plans the way between two images of the same length.
    ///
    /// - Parameters:
    ///   - old: What the tag holds.
    ///   - new: What it shall hold.
    ///   - typeAddress: Address of the type byte of the NDEF message in `new`.
    ///   - lengthAddress: Address of its first length byte.
    init(from old: [UInt8], to new: [UInt8], typeAddress: Int, lengthAddress: Int) {
        pages = NTAGLayout.firstUserPage..<min(old.count, new.count) / PageData.byteCount
        expected = pages.map { Self.page($0, of: new) }
        var empty = old
        empty[typeAddress] = TLVType.ndefMessage.rawValue
        empty[lengthAddress] = 0
        var filled = new
        filled[lengthAddress] = 0
        guard old != new else { return }
        // The length first: the type byte of a message that was not there before must not stand before a foreign one.
        add(from: old, to: empty, pages.reversed())
        add(from: empty, to: filled, Array(pages))
        add(from: filled, to: new, Array(pages))
    }

    private mutating func add(from old: [UInt8], to new: [UInt8], _ pages: [Int]) {
        for page in pages where Self.page(page, of: old) != Self.page(page, of: new) {
            writes.append((UInt8(truncatingIfNeeded: page), Self.page(page, of: new)))
        }
    }

    private static func page(_ page: Int, of image: [UInt8]) -> PageData {
        PageData(image.dropFirst(page * PageData.byteCount))
    }
}
