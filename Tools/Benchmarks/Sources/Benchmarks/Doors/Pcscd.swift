#if os(Linux)
    import Foundation

    /// The installed pcscd, started by the launcher of the checkout for as long as this lives.
    final class Pcscd {
        struct Reader: Decodable {
            let name: String
            let port: UInt16
        }

        private struct Ready: Decodable {
            let socket: String
            let readers: [Reader]
        }

        private static let launcher = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../../lib/private_pcscd.py").standardized.path
        private let program: Child
        let socket: String
        let readers: [Reader]

        init(readers names: [String]) throws {
            program = try Child(["/usr/bin/env", "python3", Self.launcher] + names)
            let ready = try JSONDecoder().decode(Ready.self, from: Data(program.nextLine().utf8))
            (socket, readers) = (ready.socket, ready.readers)
        }
    }
#endif
