import Meters
import TapWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

let usage = """
    usage: Benchmarks [--check | --allocations | --doors | --run WORKLOAD floor|spans|arrays ROUNDS]
      (none)         measures the card engines against plain C, as ratios
      --check        compares all answers with those of plain C, and fails where the engines allocate
      --allocations  lists what every command allocates, and fails where one does
      --doors        measures the doors of PC/SC against plain C on the same sockets; needs pcscd and vpcd
      --run          only runs a workload, to count its instructions with callgrind
    """

func fail(_ message: String, code: Int32 = 1) -> Never {
    print(message)
    exit(code)
}

func checkAnswers(_ workloads: [Workload]) throws {
    for workload in workloads {
        if let difference = try workload.difference() { fail("\(workload.name): \(difference)") }
    }
}

func measure(_ workloads: [Workload]) throws {
    let widths = [36, 10, 8, 8, 8, 10, 10]
    let head = ["÷ C, median of \(Stopwatch.roundCount)", "C ns", "C", "spans", "arrays", "allocs", "arrays"]
    print(Table.line(head, widths: widths))
    var stopwatch = Stopwatch(sampleTime: 5e6)
    for workload in workloads {
        let result = try workload.measure(&stopwatch)
        let numbers = [
            result.floorNanoseconds, result.same, result.spans, result.arrays, result.spanAllocations,
            result.arrayAllocations,
        ]
        print(
            Table.line(["\(workload.name): \(workload.title)"] + numbers.map(Table.number), widths: widths)
                + (Stopwatch.isQuiet(result.same) ? "" : "  void: C against itself should be 1"))
    }
}

func checkAllocations(_ workloads: [Workload]) throws {
    for workload in workloads {
        let run = try workload.runner(.spans)
        _ = run(10)
        let before = allocation_count()
        _ = run(100)
        let allocations = allocation_count() - before
        if allocations != 0 { fail("\(workload.name): \(allocations) allocations in 100 rounds") }
    }
    print("answers are those of plain C, nothing is allocated")
}

/// Measures doors, or is the client of such a measurement.
func runDoors(_ options: [String]) throws {
    #if os(Linux)
        switch options[0] {
        case "--door-client": try DoorClientProgram.transmit(Hex.bytes(options[2]), to: options[1])
        case "--door-watcher": try DoorClientProgram.watch(options[1])
        default: try DoorBenchmark.run()
        }
    #else
        fail("doors can only be measured on Linux", code: 3)
    #endif
}

let workloads = try Workload.all()
let options = Array(CommandLine.arguments.dropFirst())
switch (options.first, options.count) {
case (nil, _):
    try checkAnswers(workloads)
    try measure(workloads)
case ("--check", 1):
    guard allocation_counter_works() else { fail("allocations can only be counted on Linux with glibc", code: 3) }
    try checkAnswers(workloads)
    try checkAllocations(workloads)
case ("--allocations", 1):
    guard allocation_counter_works() else { fail("allocations can only be counted on Linux with glibc", code: 3) }
    var report = AllocationReport()
    try report.run()
    if !report.isClean { exit(1) }
case ("--doors", 1), ("--door-client", 3), ("--door-watcher", 2):
    try runDoors(options)
case ("--run", 4):
    guard let workload = workloads.first(where: { $0.name == options[1] }),
        let contestant = Contestant(rawValue: options[2]), let rounds = Int(options[3]), rounds > 0
    else { fail(usage, code: 2) }
    print(try workload.runner(contestant)(rounds), "bits")
case ("--help", _), ("-h", _):
    print(usage)
default:
    fail(usage, code: 2)
}
