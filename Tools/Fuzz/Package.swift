// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that the compiler options for fuzzers never reach the main package. Tools/fuzz builds it.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v13)],
    products: [.library(name: "FuzzSupport", targets: ["FuzzSupport"])],
    dependencies: [.package(name: "TapSim", path: "../..")],
    targets: [
        .target(name: "CLibFuzzer"),
        .target(
            name: "FuzzSupport",
            dependencies: ["CLibFuzzer"]
                + ["TapWire", "TapCards", "TapField", "_TapScenario", "_TapJudge", "TapFuzz"].map(tap),
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        fuzzer("FuzzWire", ["TapWire", "_TapDescribe"]),
        fuzzer("FuzzCards", ["TapWire", "_TapCrypto", "TapCards"]),
        fuzzer(
            "FuzzTransports",
            [
                "TapWire", "TapCards", "TapField", "_TapReaders", "_TapSystem", "_TapHost", "_TapTransports",
                "_TapDocument", "_TapScenario", "_TapJudge", "_TapServe",
            ]),
        fuzzer("FuzzDocuments", ["TapWire", "_TapDocument", "_TapYAML", "_TapScenario", "_TapReport"]),
        fuzzer("FuzzDumps", ["TapWire", "TapCards", "_TapDocument", "_TapImages"]),
        fuzzer("FuzzLogs", ["TapWire", "TapCards", "_TapDocument", "_TapYAML", "_TapScenario", "_TapRecording"]),
        fuzzer("FuzzStations", ["TapWire", "_TapScenario"]),
        fuzzer("FuzzClient", ["TapWire"]),
    ],
    swiftLanguageModes: [.v6]
)

/// A program that fuzzes some modules of TapSim.
func fuzzer(_ name: String, _ modules: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: ["FuzzSupport"] + modules.map(tap),
        swiftSettings: [
            .strictMemorySafety(),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ])
}

func tap(_ module: String) -> Target.Dependency { .product(name: module, package: "TapSim") }
