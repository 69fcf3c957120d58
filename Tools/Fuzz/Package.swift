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
                + ["TapWire", "TapCards", "TapField", "TapScenario", "TapJudge", "TapFuzz"].map(tap),
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        fuzzer("FuzzWire", ["TapWire", "TapDescribe"]),
        fuzzer("FuzzCards", ["TapWire", "TapCrypto", "TapCards"]),
        fuzzer(
            "FuzzTransports",
            [
                "TapWire", "TapCards", "TapField", "TapReaders", "TapSystem", "TapHost", "TapTransports", "TapDocument",
                "TapScenario", "TapJudge",
                "TapServe",
            ]),
        fuzzer("FuzzDocuments", ["TapWire", "TapDocument", "TapYAML", "TapScenario", "TapReport"]),
        fuzzer("FuzzDumps", ["TapWire", "TapCards", "TapDocument", "TapImages"]),
        fuzzer("FuzzLogs", ["TapWire", "TapCards", "TapDocument", "TapYAML", "TapScenario", "TapRecording"]),
        fuzzer("FuzzStations", ["TapWire", "TapScenario"]),
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
