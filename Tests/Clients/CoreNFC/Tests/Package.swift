// swift-tools-version: 6.2
import PackageDescription

// The tests of the clients next to this folder.
let package = Package(
    name: "CoreNFCClients",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "TapSim", path: "../../../.."),
        .package(path: "../../../../Tools/AppleShims"),
        .package(path: "../SuicaReader"),
        .package(path: "../ICOCAReader"),
        .package(path: "../CardKit"),
        .package(path: "../PasswordTag"),
        .package(path: "../GuardedReader"),
        .package(path: "../Swift6Reader"),
    ],
    targets: [
        .testTarget(
            name: "CoreNFCClientTests",
            dependencies: [
                "SuicaReader", "ICOCAReader", "CardKit", "PasswordTag", "GuardedReader", "Swift6Reader",
                .product(name: "TapTesting", package: "TapSim"),
                .product(name: "CoreNFC", package: "TapSim"),
                .product(name: "Combine", package: "AppleShims", condition: .when(platforms: [.linux])),
            ],
            exclude: ["Scenarios"])
    ],
    // The tests are also written like an app's tests.
    swiftLanguageModes: [.v5]
)
