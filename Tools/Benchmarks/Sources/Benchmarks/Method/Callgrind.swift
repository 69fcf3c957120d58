import Foundation
import Meters

/// Valgrind's Callgrind, which counts instructions: the same number on every run, however busy the machine is.
struct Callgrind {
    /// Why nothing is counted.
    static let absence = "instructions can only be counted with Valgrind, installed before the build; see Tools/bench"
    /// Exchanges of the shorter of two counted runs; the longer one has twice as many more.
    private static let exchanges = 128
    /// The least part of all instructions for which a function is named.
    private static let leastShare = 0.05

    /// Instructions of a run by function, by the name of the run.
    private var runs: [String: [String: Int]] = [:]

    /// Counts all workloads in one run of this program, nil without Valgrind.
    static let shared = try? Callgrind()

    private init() throws {
        guard counts_instructions() else { throw CocoaError(.featureUnsupported) }
        let folder = FileManager.default.temporaryDirectory.path + "/benchmarks-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = try Child(
            ["/usr/bin/env", "valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=\(folder)/run"]
                + [Child.ownPath, "--count"])
        guard program.nextLine() == Self.lastLine else { throw CocoaError(.featureUnsupported) }
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let dump = CallgrindDump(try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8))
            if let name = dump.name { runs[name] = dump.instructions }
        }
    }

    /// Instructions of one exchange.
    func instructions(_ workload: Workload, _ contestant: Contestant) -> Double? {
        guard let more = functions(workload, contestant) else { return nil }
        return more.values.reduce(0, +) / Double(Self.rounds(of: workload) * 2 * workload.frames.count)
    }

    /// Where the instructions of a contestant go: functions with what was inlined into them, those with most first.
    func profile(_ workload: Workload, _ contestant: Contestant) -> [String] {
        guard let functions = functions(workload, contestant) else { return [] }
        let all = functions.values.reduce(0, +)
        let most = functions.filter { $0.value > Self.leastShare * all }.sorted {
            ($1.value, $0.key) < ($0.value, $1.key)
        }
        return most.map {
            "\(Int((100 * $0.value / all).rounded())) % of the instructions in \(Self.plainName($0.key))"
        }
    }

    /// The name of a function without its parameters, and without what the compiler and Callgrind made of it.
    private static func plainName(_ name: String) -> String {
        // A function that has called itself has a number behind its name.
        let symbol = String(name.prefix { $0 != "'" })
        guard let text = unsafe demangled_name(symbol) else { return symbol }
        defer { unsafe free(text) }
        let name = unsafe String(cString: text)
        return name.firstMatch(of: /(\w+\.)+\w+(?=\()/).map { String($0.0) } ?? name
    }

    /// Instructions that the longer of two runs took more than the shorter, by function.
    private func functions(_ workload: Workload, _ contestant: Contestant) -> [String: Double]? {
        guard let short = runs[Self.name(workload, contestant, isLong: false)],
            let long = runs[Self.name(workload, contestant, isLong: true)]
        else { return nil }
        return long.mapValues(Double.init).merging(short.mapValues { -Double($0) }, uniquingKeysWith: +)
    }
}

extension Callgrind {
    /// What the counted program prints when it has done all.
    private static let lastLine = "counted"

    /// The counted program: runs every workload twice, three times as long the second time.
    static func runCounted() throws {
        for workload in try Workload.all() {
            for contestant in Contestant.allCases {
                let run = try workload.runner(contestant)
                let rounds = rounds(of: workload)
                _ = run(1)
                for isLong in [false, true] {
                    let name = name(workload, contestant, isLong: isLong)
                    begin_counting()
                    _ = run(isLong ? 3 * rounds : rounds)
                    unsafe end_counting(name)
                }
            }
        }
        print(lastLine)
    }

    private static func rounds(of workload: Workload) -> Int { max(1, exchanges / workload.frames.count) }

    private static func name(_ workload: Workload, _ contestant: Contestant, isLong: Bool) -> String {
        "\(workload.name) \(contestant.rawValue) \(isLong ? "long" : "short")"
    }
}
