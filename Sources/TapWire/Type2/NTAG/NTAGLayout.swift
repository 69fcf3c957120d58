/// Where what lies in the memory of an NTAG21x.
///
/// Pages 00–02 hold UID and static lock bytes, 03 the capability container, 04 to ``lastUserPage`` user memory, and
/// the pages of dynamic lock bytes, CFG0, CFG1, PWD and PACK end the memory. Cards and readers take the places from
/// here. Source: NTAG213/215/216 data sheet rev. 3.2, "memory organization" and "dynamic lock bytes".
public struct NTAGLayout: Hashable, Sendable {
    /// Last page of user memory.
    public let lastUserPage: Int
    /// User pages that one dynamic lock bit locks.
    public let pagesPerLockBit: Int

    @usableFromInline
    init(lastUserPage: Int, pagesPerLockBit: Int) {
        self.lastUserPage = lastUserPage
        self.pagesPerLockBit = pagesPerLockBit
    }

    /// The page that holds BCC1 and the static lock bytes.
    @inlinable
    public static var staticLockPage: Int { 0x02 }
    /// The page of the capability container.
    @inlinable
    public static var capabilityContainerPage: Int { 0x03 }
    /// First page of user memory.
    @inlinable
    public static var firstUserPage: Int { 0x04 }
    /// First page with a dynamic lock bit.
    @inlinable
    public static var firstDynamicallyLockedPage: Int { 16 }

    // Places are summed without a check: the last user page is one of three known numbers.

    /// Whether a page is user memory.
    @inlinable
    public func isUserPage(_ page: Int) -> Bool { page >= Self.firstUserPage && page <= lastUserPage }

    /// The page of the dynamic lock bytes.
    @inlinable
    public var dynamicLockPage: Int { lastUserPage &+ 1 }
    /// The page of mirror settings and AUTH0.
    @inlinable
    public var cfg0Page: Int { lastUserPage &+ 2 }
    /// The page of the access bits.
    @inlinable
    public var cfg1Page: Int { lastUserPage &+ 3 }
    /// The page of the password.
    @inlinable
    public var passwordPage: Int { lastUserPage &+ 4 }
    /// The page of PACK.
    @inlinable
    public var packPage: Int { lastUserPage &+ 5 }
    /// Number of pages.
    @inlinable
    public var pageCount: Int { lastUserPage &+ 6 }
    @inlinable
    public var byteCount: Int { pageCount * PageData.byteCount }
    /// Bytes of user memory.
    @inlinable
    public var userByteCount: Int { (lastUserPage + 1 - Self.firstUserPage) * PageData.byteCount }
    /// Number of dynamic lock bits.
    @inlinable
    public var dynamicLockBitCount: Int {
        (lastUserPage - Self.firstDynamicallyLockedPage) / pagesPerLockBit + 1
    }
    /// Number of bits that freeze two dynamic lock bits each.
    @inlinable
    public var blockLockBitCount: Int { (dynamicLockBitCount + 1) / 2 }
}
