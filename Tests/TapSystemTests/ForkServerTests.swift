#if os(Linux)
    import Testing

    @testable import TapSystem

    /// A client that was started once and is copied where it reaches for a reader.
    @Suite struct `A client that makes copies` {
        private static let script = """
            import sys
            print(open("/nonexistent/A").read())
            if sys.stdin.read():
                open("/nonexistent/B")
            """

        @Test func `reports a copy that reaches for another reader, even if the copy ends at once`() throws {
            let folder = try PrivateDirectory()
            defer { folder.remove() }
            let files = ["\(folder.path)/a", "\(folder.path)/b"]
            for file in files { try FileContent.append(Array("from \(file.suffix(1))".utf8), to: file) }
            let server = try ForkServer(
                ClientCommand(["python3", "-s", "-c", Self.script]), addresses: ["/nonexistent/A", "/nonexistent/B"],
                library: ForkLibrary(), within: .seconds(20))
            defer { server.close() }
            func copy(_ input: String) throws -> ClientOutcome {
                var command = ClientCommand(["python3"])
                command.input = Array(input.utf8)
                return try ClientProcess.run(
                    command, limits: ClientLimits(), from: .server(server, addresses: files))
            }
            let first = try copy("")
            #expect(first.standardOutput.text == "from a\n", "\(first.standardError.text)")
            #expect(!server.hasStrayed)
            let second = try copy("both")
            #expect(second.end == .exit(0))
            #expect(server.hasStrayed)
        }
    }
#endif
