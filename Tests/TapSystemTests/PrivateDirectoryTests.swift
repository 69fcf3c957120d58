import Testing

@testable import TapSystem

@Suite struct `A private folder` {
    @Test func `is held by this process until it is removed`() throws {
        let folder = try PrivateDirectory()
        #expect(PrivateDirectory.isHeld(folder.path))
        folder.remove()
        #expect(!PrivateDirectory.isHeld(folder.path))
    }

    /// Waiting for the folder's lock, which this process itself holds, used to take 200 ms each time.
    @Test func `has sockets that do not wait for other processes`() throws {
        let started = ContinuousClock.now
        for _ in 0..<25 {
            let folder = try PrivateDirectory()
            let listener = try UnixListener(at: "\(folder.path)/socket")
            listener.close()
        }
        #expect(ContinuousClock.now - started < .seconds(4))
    }
}
