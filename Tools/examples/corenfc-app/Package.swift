// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "CardReader",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [
        .package(name: "TapSim", path: "../../.."),
        .package(path: "../../../Tools/AppleShims"),
    ],
    targets: [
        .target(
            name: "CardReader",
            dependencies: [
                .product(name: "CoreNFC", package: "TapSim", condition: .when(platforms: [.linux, .macOS])),
                // What Linux lacks, as far as the sources import it.
                .product(name: "Combine", package: "AppleShims", condition: .when(platforms: [.linux])),
                .product(name: "os", package: "AppleShims", condition: .when(platforms: [.linux])),
            ],
            path: "CardApp/Reader"),
        .testTarget(
            name: "CardReaderTests",
            dependencies: ["CardReader", .product(name: "TapTesting", package: "TapSim")],
            path: "CardAppTests"),
    ],
    swiftLanguageModes: [.v5]
)
