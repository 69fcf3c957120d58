import TapWire

/// The memory as cells, for faults that strike it.
extension NTAGCard {
    /// The page that a WRITE would program.
    public func cells(writtenBy command: Span<UInt8>) -> [Range<Int>] {
        guard state.phase == .active || state.phase == .authenticated,
            let request = try? WritePage.Request(parsing: command), mayWrite(Int(request.page))
        else { return [] }
        let start = Int(request.page) * PageData.byteCount
        return [start..<start + PageData.byteCount]
    }

    /// A byte of memory, PWD and PACK included; outside the memory, zero and ignored.
    public subscript(cell cell: Int) -> UInt8 {
        get { cell < 0 ? 0 : self[page: cell / PageData.byteCount][cell % PageData.byteCount] }
        set {
            let (page, byte) = cell.quotientAndRemainder(dividingBy: PageData.byteCount)
            guard cell >= 0, page < layout.pageCount else { return }
            switch page {
            case layout.passwordPage: password[byte] = newValue
            case layout.packPage: packPage[byte] = newValue
            default: pages[page][byte] = newValue
            }
        }
    }
}
