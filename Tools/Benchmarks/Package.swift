// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that its C code and its override of malloc never reach the main package.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "TapSim", path: "../..", traits: [])],
    targets: [
        .target(name: "Floor"),
        .target(name: "Meters"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Floor", "Meters"]
                + ["TapWire", "TapCards", "TapField", "_TapReaders", "_TapTransports", "_TapPCSC"].map {
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
