// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that its C and its override of malloc never reach the main package.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "TapSim", path: "../..", traits: [])],
    targets: [
        .target(name: "Floor"),
        .target(name: "Meters"),
        .executableTarget(
            name: "Start",
            dependencies: [
                .product(name: "TapWire", package: "TapSim"),
                .product(name: "TapCards", package: "TapSim"),
                .product(name: "TapField", package: "TapSim"),
            ]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Floor", "Meters",
                .product(name: "TapWire", package: "TapSim"),
                .product(name: "TapCards", package: "TapSim"),
                .product(name: "TapField", package: "TapSim"),
                .product(name: "TapReaders", package: "TapSim"),
                .product(name: "TapSystem", package: "TapSim"),
                .product(name: "TapHost", package: "TapSim"),
                .product(name: "TapDoors", package: "TapSim"),
                .product(name: "TapPCSC", package: "TapSim"),
            ],
            swiftSettings: [
                .strictMemorySafety(),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
