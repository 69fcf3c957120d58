import Foundation
import Testing

@testable import TapSystem

@Suite struct `A UDP socket` {
    @Test func `uses a port without a service name`() throws {
        var refused: [UInt16] = []
        let socket = try LoopbackSocket { port in
            refused.append(port)
            return refused.count <= 3
        }
        #expect(Set(refused).count == 4)
        #expect(refused.last == socket.port)
    }

    @Test func `cannot be created if every port has a service name`() {
        #expect(throws: SystemError.self) { try LoopbackSocket { _ in true } }
    }

    /// Debian's list contains these ports; a minimal system has no list.
    @Test(arguments: [("ssh", 22), ("domain", 53), ("dircproxy", 57_000), ("fido", 60_179)])
    func `knows the service names listed by the system`(name: String, port: UInt16) {
        let list = (try? String(contentsOfFile: "/etc/services", encoding: .utf8)) ?? ""
        let isListed = list.split(separator: "\n").contains { $0.hasPrefix("\(name)\t") && $0.contains("\(port)/tcp") }
        #expect(ServiceNames.contains(port) == isListed)
        #expect(!ServiceNames.contains(54_321))
    }
}
