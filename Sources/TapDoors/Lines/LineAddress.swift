/// Where a server of lines listens.
public enum LineAddress: Hashable, Sendable, CustomStringConvertible {
    /// A Unix socket at a path of the file system, for this user alone.
    case unix(String)
    /// A port of the loopback address, 0 for one that the system chooses; whoever sends the token of the server first is answered.
    case tcp(UInt16)

    /// Reads what ``description`` writes; nothing for text that is no address.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.last) {
        case ("unix", let path?) where parts.count == 2 && !path.isEmpty: self = .unix(path)
        case ("tcp", let port?):
            guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(port) else { return nil }
            self = .tcp(port)
        default: return nil
        }
    }

    /// `unix:PATH` or `tcp:PORT`.
    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let port): "tcp:\(port)"
        }
    }
}
