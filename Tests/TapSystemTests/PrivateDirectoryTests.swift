import Testing

@testable import TapSystem

@Suite struct `A private folder` {
    @Test func `is held by this process until it is removed`() throws {
        let folder = try PrivateDirectory()
        #expect(PrivateDirectory.isHeld(folder.path))
        folder.remove()
        #expect(!PrivateDirectory.isHeld(folder.path))
    }

    /// Waiting for the lock of the folder, which this process has itself, took 200 ms each time.
    @Test func `has sockets that wait for no other process`() throws {
        let started = ContinuousClock.now
        for _ in 0..<25 {
            let folder = try PrivateDirectory()
            let listener = try UnixListener(at: "\(folder.path)/socket")
            listener.close()
        }
        #expect(ContinuousClock.now - started < .seconds(4))
    }
}
