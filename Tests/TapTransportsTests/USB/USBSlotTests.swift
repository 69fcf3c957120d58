import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@testable import TapTransports

@testable import TapHost

@testable import TapSystem

/// A reader with its threads, and programs that access it through the protocol of the preload library.
@Suite struct `A USB reader slot` {
    /// An open file of a program.
    private struct OpenFile {
        private static let address: UInt = 0x7F00_0000_1000
        private let stream: SocketStream

        init(_ path: String) throws {
            stream = SocketStream(try UnixSocket.connect(to: path))
        }

        private func say(_ request: UsbfsRequest) {
            let number = UInt(UInt8(ascii: "U")) << 8 | UInt(request.rawValue)
            _ = stream.send(PreloadWord.bytes(1, number, Self.address))
        }

        /// Waits for an order.
        private func order() throws -> [UInt] {
            var bytes = [UInt8](repeating: 0, count: PreloadWord.messageLength)
            try #require(Readiness.wait(for: [(stream.descriptor, .reading)], timeout: .seconds(60))[0])
            try #require(stream.receive(into: &bytes) == bytes.count)
            return PreloadWord.words(bytes)
        }

        /// Claims interface 0 and returns the error number.
        func claim() throws -> UInt {
            say(.claim)
            try #require(try order()[0] == 5)
            _ = stream.send([0, 0, 0, 0])
            return try order()[2]
        }

        /// Waits for a block, like a program that is killed during the call.
        func reap() { say(.reap) }

        func close() { stream.descriptor.shut() }
    }

    @Test func `is free for the next program as soon as the previous one ends`() throws {
        let host = FieldHost(World(seed: 1))
        let folder = try PrivateDirectory(forSocket: USBTree.longestSocket)
        let tree = try USBTree(folder.path)
        let place = USBLocation(port: 1)
        let slot = USBSlot(try #require(ReaderModel.acr122u.makeUSBReader()), at: 0, place, in: tree, on: host)
        try slot.plug()
        for _ in 0..<10 {
            let killed = try OpenFile(tree.socket(of: place))
            #expect(try killed.claim() == 0)
            killed.reap()
            killed.close()
            let next = try OpenFile(tree.socket(of: place))
            #expect(try next.claim() == 0)
            next.close()
        }
        slot.close()
        host.close()
        folder.remove()
    }
}
