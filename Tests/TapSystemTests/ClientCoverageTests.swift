#if os(Linux)
    import Testing

    @testable import TapSystem

    /// Counters of a client in shared memory, as in programs built with AFL++.
    @Suite struct `The coverage of a client` {
        /// Increases bytes of the memory: pairs of an edge and its count.
        private static let script = """
            import ctypes, os, sys
            libc = ctypes.CDLL(None, use_errno=True)
            libc.shmat.restype = ctypes.c_void_p
            memory = libc.shmat(int(os.environ["__AFL_SHM_ID"]), None, 0)
            edges = (ctypes.c_ubyte * int(os.environ["AFL_MAP_SIZE"])).from_address(memory)
            for pair in sys.argv[1:]:
                edge, count = map(int, pair.split("="))
                edges[edge] = count
            """

        private func edges(_ coverage: ClientCoverage, _ pairs: [String]) throws -> Set<UInt32> {
            let variables = Dictionary(uniqueKeysWithValues: coverage.variables.map { ($0.name, $0.value) })
            let command = ClientCommand(["python3", "-c", Self.script] + pairs, environment: variables)
            #expect(try ClientProcess.run(command, limits: ClientLimits()).end == .exit(0))
            return coverage.take()
        }

        @Test func `contains edges with approximate counts, and none of the previous run`() throws {
            let coverage = try ClientCoverage()
            #expect(try edges(coverage, ["0=1", "7=2", "8=3", "262143=255"]) == [0x01, 0x72, 0x83, 0x3F_FFF9])
            #expect(try edges(coverage, []).isEmpty)
            #expect(try edges(coverage, ["5=4"]) == edges(coverage, ["5=7"]))
            #expect(try edges(coverage, ["5=7"]) != edges(coverage, ["5=8"]))
        }
    }
#endif
