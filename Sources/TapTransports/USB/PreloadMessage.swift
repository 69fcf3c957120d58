/// A message between umockdev's preload library in a client and the server of its emulated devices.
///
/// A message is three machine words in the machine's byte order. The library sends a request and obeys orders until an order
/// ends the request; after a ``PreloadOrder/read(address:count:)`` it sends that many bytes, after a
/// ``PreloadOrder/write(address:_:)`` it receives them.
///
/// Source: umockdev, `src/ioctl-tree.vala` and `src/libumockdev-preload.c`, 0.17.13 to 0.19.7; observed on the wire.
enum PreloadRequest: Hashable, Sendable {
    /// `ioctl` with a request number and its argument, an address or a number.
    case ioctl(request: UInt32, argument: UInt)
    /// `ioctl` of a copied client, which sends the memory that the request reads with it: `count` bytes.
    ///
    /// Source: `Sources/CForkServer/preload.c`.
    case wholeIoctl(request: UInt32, argument: UInt, count: Int)
    /// `read` into memory at an address.
    case read(address: UInt, count: Int)
    /// `write`, which no USB node supports.
    case write

    private enum Kind {
        static let ioctl: UInt = 1
        static let read: UInt = 7
        static let write: UInt = 8
        static let wholeIoctl: UInt = 16
    }

    /// Returns `nil` for a request that the library does not make unasked.
    init?(parsing bytes: [UInt8]) {
        let words = PreloadWord.words(bytes)
        switch words[0] {
        case Kind.ioctl: self = .ioctl(request: UInt32(truncatingIfNeeded: words[1]), argument: words[2])
        case Kind.wholeIoctl:
            self = .wholeIoctl(
                request: UInt32(truncatingIfNeeded: words[1]), argument: words[2], count: Int(words[1] >> 32))
        case Kind.read: self = .read(address: words[1], count: Int(clamping: words[2]))
        case Kind.write: self = .write
        default: return nil
        }
    }
}

/// An order from the server to the library.
enum PreloadOrder: Hashable, Sendable {
    /// Send memory of the client.
    case read(address: UInt, count: Int)
    /// Replace memory of the client.
    case write(address: UInt, [UInt8])
    /// End the request with its result, which is -1 with an error number.
    case done(Int, errno: Int32 = 0)

    private enum Kind {
        static let done: UInt = 3
        static let read: UInt = 5
        static let write: UInt = 6
    }

    static func failed(_ errno: Int32) -> PreloadOrder { .done(-1, errno: errno) }

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .read(let address, let count): bytes += PreloadWord.bytes(Kind.read, address, UInt(count))
        case .write(_, let data) where data.isEmpty: break
        case .write(let address, let data): bytes += PreloadWord.bytes(Kind.write, address, UInt(data.count)) + data
        case .done(let result, let errno):
            bytes += PreloadWord.bytes(Kind.done, UInt(bitPattern: result), UInt(errno))
        }
    }
}

enum PreloadWord {
    private static let size = MemoryLayout<UInt>.size
    /// The length of a message in bytes.
    static let messageLength = 3 * size

    static func words(_ bytes: [UInt8]) -> [UInt] {
        (0..<3).map { place in
            unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place * size, as: UInt.self) }
        }
    }

    static func bytes(_ words: UInt...) -> [UInt8] {
        words.flatMap { word in unsafe withUnsafeBytes(of: word) { unsafe Array($0) } }
    }
}
