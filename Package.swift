// swift-tools-version: 6.2
import PackageDescription

// Tools/package names the version by the tag; this is what any other build calls itself.
let version = Context.environment["TAPSIM_VERSION"] ?? "0.9.0"

let package = Package(
    name: "TapSim",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        // For apps and their tests.
        .library(name: "CoreNFC", targets: ["CoreNFC"]),
        .library(name: "VirtualCoreNFC", targets: ["VirtualCoreNFC"]),
        .library(name: "TapTesting", targets: ["TapTesting"]),
        .library(name: "TapTracing", targets: ["TapTracing"]),
        // For Swift code that reads cards in process.
        .library(name: "TapWire", targets: ["TapWire"]),
        .library(name: "TapCards", targets: ["TapCards"]),
        .library(name: "TapField", targets: ["TapField"]),
        .library(name: "TapClient", targets: ["TapClient"]),
        .library(name: "TapFuzz", targets: ["TapFuzz"]),
        .executable(name: "tapsim", targets: ["tapsim"]),
    ]
        // Internal: only for Tools/Fuzz and Tools/Benchmarks. Their names begin with an underscore, and they may change in
        // any release.
        + [
            "TapDescribe", "TapCrypto", "TapReaders", "TapSystem", "TapHost", "TapTransports", "TapPCSC", "TapDocument",
            "TapImages", "TapScenario", "TapRecording", "TapJudge", "TapYAML", "TapReport", "TapServe",
        ].map { .library(name: "_\($0)", targets: [$0]) },
    traits: [
        .trait(
            name: "YAML", description: "Read scenario files in YAML; needs libyaml. Without it they are read as JSON."),
        .trait(
            name: "Crypto",
            description: "Cards with keys; needs libcrypto, on Apple systems nothing. Without it they are refused."),
        .default(enabledTraits: ["YAML", "Crypto"]),
    ],
    targets: [
        // Each layer imports only what its line names; Tools/test holds the table with
        // --explicit-target-dependency-import-check error.
        .target(name: "TapWire"),
        .target(name: "TapDescribe", dependencies: ["TapWire"]),
        .target(
            name: "TapCrypto",
            dependencies: [
                .target(name: "CLibCrypto", condition: .when(platforms: [.linux], traits: ["Crypto"]))
            ]),
        .systemLibrary(
            name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "TapCards", dependencies: ["TapWire", "TapCrypto"]),
        .target(name: "TapField", dependencies: ["TapWire", "TapCards"]),
        .target(name: "TapClient", dependencies: ["TapWire", "TapCrypto"]),
        .target(name: "TapReaders", dependencies: ["TapWire", "TapCards", "TapField"]),
        .target(
            name: "TapSystem",
            dependencies: [
                "TapWire",
                .target(name: "CLinux", condition: .when(platforms: [.linux])),
                .target(name: "CForkServer", condition: .when(platforms: [.linux])),
            ]),
        .target(name: "TapHost", dependencies: ["TapWire", "TapField", "TapSystem"]),
        .target(
            name: "TapTransports",
            dependencies: [
                "TapWire", "TapField", "TapReaders", "TapDocument", "TapSystem", "TapHost",
            ]),
        .systemLibrary(name: "CLinux"),
        .target(name: "CForkServer", exclude: ["preload.c"]),
        .target(name: "TapPCSC", dependencies: ["TapWire"]),
        .target(name: "TapDocument", dependencies: ["TapWire"]),
        .target(name: "TapImages", dependencies: ["TapWire", "TapCards", "TapDocument"]),
        .target(
            name: "TapScenario",
            dependencies: ["TapWire", "TapCrypto", "TapCards", "TapField", "TapReaders", "TapDocument", "TapImages"]),
        .target(
            name: "TapRecording",
            dependencies: [
                "TapWire", "TapCards", "TapField", "TapReaders", "TapDocument", "TapImages", "TapScenario", "TapReport",
            ]),
        .target(
            name: "TapJudge",
            dependencies: ["TapWire", "TapCards", "TapField", "TapReaders", "TapDocument", "TapScenario"]),
        .target(
            name: "TapYAML",
            dependencies: ["TapDocument", .target(name: "CLibYAML", condition: .when(traits: ["YAML"]))]),
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),

        .target(
            name: "TapReport",
            dependencies: [
                "TapWire", "TapDescribe", "TapCards", "TapField", "TapDocument", "TapScenario", "TapJudge", "CRunPage",
            ]),
        .target(
            name: "CRunPage",
            exclude: [
                "page.html", "common.css", "common.js", "page.css", "page.js", "campaign.css", "campaign.js",
                "index.js", "replay.py",
            ]),
        .target(
            name: "TapReading",
            dependencies: [
                "TapWire", "TapCards", "TapField", "TapClient", "TapDocument", "TapScenario", "TapJudge", "TapReport",
            ]),
        .target(
            name: "TapFuzz",
            dependencies: [
                "TapWire", "TapField", "TapReaders", "TapDocument", "TapScenario", "TapJudge", "TapReading",
            ]),
        .target(
            name: "TapServe",
            dependencies: [
                "TapWire", "TapCards", "TapField", "TapSystem", "TapHost", "TapDocument", "TapScenario", "TapJudge",
                "TapReport",
            ]),
        .target(
            name: "TapRun",
            dependencies: [
                "TapWire", "TapCards", "TapField", "TapClient", "TapReaders", "TapSystem", "TapHost", "TapTransports",
                "TapPCSC", "TapDocument",
                "TapScenario", "TapRecording", "TapJudge", "TapReport", "TapReading", "TapFuzz", "TapServe",
            ]),
        .target(
            name: "TapCommand",
            dependencies: [
                "TapWire", "TapCrypto", "TapDescribe", "TapCards", "TapField", "TapReaders", "TapSystem",
                "TapTransports",
                "TapPCSC",
                "TapDocument", "TapImages",
                "TapScenario", "TapRecording", "TapJudge", "TapFuzz", "TapYAML", "TapReport", "TapServe", "TapRun",
                "CVersion",
            ]),
        .executableTarget(name: "tapsim", dependencies: ["TapCommand", "TapSystem"]),
        .target(name: "CVersion", cSettings: [.define("TAPSIM_VERSION", to: "\"\(version)\"")]),

        .target(
            name: "TapPhone",
            dependencies: [
                "TapWire", "TapCards", "TapField", "TapClient", "TapSystem", "TapHost", "TapDocument", "TapScenario",
                "TapJudge",
                "TapReport", "TapServe",
            ]),
        .target(name: "VirtualCoreNFC", dependencies: ["TapWire", "TapField", "TapSystem", "TapPhone"]),
        // The name under which code for Apple's framework finds it where there is none.
        .target(name: "CoreNFC", dependencies: ["VirtualCoreNFC"]),
        // For apps on a real phone too, where the module of Apple's takes the place of ours.
        .target(
            name: "TapTracing", dependencies: ["TapWire", "TapField", "TapSystem", "TapReport", "VirtualCoreNFC"]),
        // For test targets alone: it imports the testing libraries of the toolchain.
        .target(
            name: "TapTesting",
            dependencies: [
                "TapWire", "TapCards", "TapField", "TapSystem", "TapDocument", "TapScenario", "TapJudge", "TapReport",
                "TapFuzz", "TapServe", "TapPhone",
                .target(name: "TapYAML", condition: .when(platforms: [.linux, .macOS], traits: ["YAML"])),
            ]),

        // A client that makes mistakes, for the tests of what is found out about clients.
        .executableTarget(name: "ZooClient", dependencies: ["TapPCSC", "TapWire"], path: "Tests/Clients/ZooClient"),
        // An app of Core NFC's shape, for the tests of what the launch environment gives it.
        .executableTarget(name: "PhoneClient", dependencies: ["CoreNFC"], path: "Tests/Clients/PhoneClient"),
        .target(name: "TestSupport", dependencies: ["TapWire", "TapCards", "TapPCSC"], path: "Tests/TestSupport"),
        .testTarget(name: "TapWireTests", dependencies: ["TapWire", "TestSupport"], exclude: ["Vectors"]),
        .testTarget(name: "TapDescribeTests", dependencies: ["TapDescribe", "TapWire", "TestSupport"]),
        .testTarget(name: "TapCryptoTests", dependencies: ["TapCrypto"]),
        .testTarget(
            name: "TapCardsTests", dependencies: ["TapCards", "TapCrypto", "TapDescribe", "TapWire", "TestSupport"],
            exclude: ["Vectors"]),
        .testTarget(
            name: "TapFieldTests", dependencies: ["TapField", "TapCards", "TapWire", "TestSupport"],
            exclude: ["Vectors"]),
        .testTarget(
            name: "TapClientTests",
            dependencies: ["TapClient", "TapCrypto", "TapField", "TapCards", "TapWire", "TestSupport"]),
        .testTarget(
            name: "TapPCSCTests",
            dependencies: [
                "TapPCSC", "TapReaders", "TapSystem", "TapHost", "TapTransports", "TapClient", "TapField", "TapCards",
                "TapWire", "TestSupport",
            ]),
        .testTarget(
            name: "TapReadersTests", dependencies: ["TapReaders", "TapField", "TapCards", "TapWire", "TestSupport"],
            exclude: ["Vectors"]),
        .testTarget(name: "TapSystemTests", dependencies: ["TapSystem", "TestSupport"]),
        .testTarget(
            name: "TapTransportsTests",
            dependencies: [
                "TapSystem", "TapHost", "TapTransports", "TapDocument", "TapReaders", "TapField", "TapCards", "TapWire",
                "TestSupport",
            ]),
        .target(
            name: "ScenarioSupport",
            dependencies: ["TapScenario", "TapDocument", "TapYAML", "TapCards", "TestSupport"],
            path: "Tests/ScenarioSupport"),
        .testTarget(
            name: "TapDocumentTests",
            dependencies: [
                "TapDocument", "TapScenario", "TapYAML", "TapField", "TapCards", "TapWire", "ScenarioSupport",
                "TestSupport",
            ],
            exclude: ["Vectors"]),
        .testTarget(
            name: "TapImagesTests",
            dependencies: ["TapImages", "TapDocument", "TapCards", "TapWire", "TestSupport"], exclude: ["Vectors"]),
        .testTarget(
            name: "TapScenarioTests",
            dependencies: [
                "TapScenario", "TapDocument", "TapYAML", "TapReaders", "TapField", "TapCards", "TapWire",
                "ScenarioSupport", "TestSupport",
            ],
            exclude: ["Vectors"]),
        .testTarget(
            name: "TapRecordingTests",
            dependencies: [
                "TapRecording", "TapScenario", "TapDocument", "TapYAML", "TapReaders", "TapClient", "TapField",
                "TapCards", "TapWire", "TestSupport",
            ],
            exclude: ["Vectors"]),
        .testTarget(
            name: "TapJudgeTests",
            dependencies: [
                "TapJudge", "TapScenario", "TapDocument", "TapYAML", "TapReaders", "TapField", "TapCards", "TapWire",
                "ScenarioSupport", "TestSupport",
            ],
            exclude: ["Vectors"]),
        .testTarget(
            name: "TapFuzzTests",
            dependencies: [
                "TapFuzz", "TapJudge", "TapScenario", "TapClient", "TapField", "TapWire",
            ]),
        .testTarget(
            name: "TapServeTests",
            dependencies: [
                "TapServe", "TapJudge", "TapScenario", "TapDocument", "TapSystem", "TapHost", "TapField", "TapWire",
                "ScenarioSupport", "TestSupport",
            ]),
        .testTarget(
            name: "TapRunTests",
            dependencies: [
                "TapRun", "TapFuzz", "TapRecording", "TapReport", "TapJudge", "TapScenario", "TapDocument", "TapSystem",
                "TapTransports", "TapField",
                "TapYAML", "TapCards", "TapClient", "TapWire", "ScenarioSupport",
            ]),
        .testTarget(
            name: "TapPhoneTests",
            dependencies: [
                "TapPhone", "TapServe", "TapJudge", "TapScenario", "TapDocument", "TapSystem", "TapField", "TapCards",
                "TapWire",
                "TestSupport",
            ]),
        .testTarget(
            name: "VirtualCoreNFCTests",
            dependencies: [
                "CoreNFC", "VirtualCoreNFC", "TapTracing", "TapPhone", "TapJudge", "TapScenario", "TapDocument",
                "TapSystem", "TapField",
            ]),
        .testTarget(
            name: "TapTestingTests",
            dependencies: [
                "TapTesting", "TapFuzz", "CoreNFC", "TapPhone", "TapServe", "TapJudge", "TapScenario", "TapDocument",
                "TapSystem", "TapClient", "TapField", "TapWire",
            ],
            exclude: ["Scenarios"]),
        .testTarget(name: "TapYAMLTests", dependencies: ["TapYAML", "TapDocument"]),
        .testTarget(
            name: "TapSimTests",
            // The programs that they start are built with all tests; if they were named here, the largest target of
            // tests would wait for them to be linked.
            dependencies: [
                "TapCommand", "TapSystem", "TapHost", "TapTransports", "TapField", "TapReport", "TapRun", "TapDocument",
                "TapScenario", "TapJudge", "TapServe",
                "TapWire", "TapYAML", "ScenarioSupport", "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

/// Targets with the shape of Core NFC, whose classes are not Sendable, and their tests, written as apps are.
let coreNFCShaped: Set = [
    "VirtualCoreNFC", "CoreNFC", "VirtualCoreNFCTests", "TapTestingTests", "PhoneClient", "TapTracing",
]

/// Targets whose code no engine calls for each frame.
let upperLayers: Set = [
    "TapImages", "TapScenario", "TapRecording", "TapJudge", "TapReport", "TapReading", "TapFuzz", "TapServe",
    "TapTransports", "TapRun", "TapCommand",
]

for target in package.targets where target.type != .system {
    if coreNFCShaped.contains(target.name) {
        target.swiftSettings = [.swiftLanguageMode(.v5)]
        // Async calls run on the caller's actor, as the ones that Swift makes of Objective-C do.
        if target.name == "VirtualCoreNFC" {
            target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
        }
        continue
    }
    target.swiftSettings = [
        .strictMemorySafety(),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    // The interface of such a module is written before its code is compiled, so modules that import it need not wait. Its
    // code is not inlined elsewhere. Only Tools/package sets the variable: no package can depend on one with unsafe flags.
    if Context.environment["TAPSIM_PACKAGING"] != nil, upperLayers.contains(target.name) {
        target.swiftSettings?.append(
            .unsafeFlags(["-emit-module-separately-wmo", "-disable-cmo"], .when(configuration: .release)))
    }
}
