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
            guard pages.indices.contains(cell) else { return }
            switch cell / PageData.byteCount {
            case layout.passwordPage: password[cell % PageData.byteCount] = newValue
            case layout.packPage: packPage[cell % PageData.byteCount] = newValue
            default: pages[cell] = newValue
            }
        }
    }
}
