// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that its C and its override of malloc never reach the main package.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "TapSim", path: "../..", traits: [])],
    targets: [
        .target(name: "Floor"),
        .target(name: "Meters"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Floor", "Meters"]
                + ["TapWire", "TapCards", "TapField", "TapReaders", "TapTransports", "TapPCSC"].map {
                    .product(name: $0, package: "TapSim")
                },
            swiftSettings: [
                .strictMemorySafety(),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
