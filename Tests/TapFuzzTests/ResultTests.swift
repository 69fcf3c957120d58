import TapFuzz
import TapJudge
import TapWire
import Testing

/// Returns the finding for a client whose result is `clean` without faults and `other` with a fault.
private func finding(
    _ clean: @escaping @Sendable () -> Any, _ other: @escaping @Sendable () -> Any
) async throws -> String? {
    let report = try await Fuzzing.run("suica", only: ["rf.silence@1"]) { link in
        let request = Polling.Request(systemCode: .transit)
        let found = try await link.activate(.felica(request), timeout: .milliseconds(100))
        return found == nil ? other() : clean()
    }
    return report.causes.first.map { "\($0.finding)" }
}

private struct Trip {
    let day: String
    let fare: Int?
}

private enum Kind {
    case rail(Int)
    case bus
}

@Suite struct `Results of a client` {
    @Test func `are compared part by part`() async throws {
        #expect(
            try await finding({ Trip(day: "Monday", fare: 210) }, { Trip(day: "Monday", fare: 0) })
                == "wrong result at exchange 1: `/fare` is 0, not 210, and it returns")
        #expect(
            try await finding({ Trip(day: "Monday", fare: 210) }, { Trip(day: "Monday", fare: nil) })
                == "silent loss at exchange 1: `/fare` is missing, and it returns")
        #expect(
            try await finding({ [Kind.rail(1), .bus] }, { [Kind.rail(1)] })
                == "silent loss at exchange 1: the result has 1 of 2 items, and it returns")
        #expect(
            try await finding({ [0xAB, 0xCD] as [UInt8] }, { [0xAB, 0xCE] as [UInt8] })
                == "wrong result at exchange 1: the result is \"ABCE\", not \"ABCD\", and it returns")
    }

    @Test func `are the same whatever the order of sets and dictionaries`() async throws {
        let names = (0..<50).map(String.init)
        #expect(try await finding({ Set(names) }, { Set(names.reversed()) }) == nil)
        #expect(
            try await finding(
                { Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }) },
                { Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, 1) }) }) == nil)
    }

    @Test func `may be missing`() async throws { #expect(try await finding({ () }, { () }) == nil) }
}
