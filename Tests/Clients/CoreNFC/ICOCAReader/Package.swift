// swift-tools-version: 6.1
import PackageDescription

// Code in Swift 5 mode, like most published code; `traits` require newer tools.
let package = Package(
    name: "ICOCAReader",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "ICOCAReader", targets: ["ICOCAReader"])],
    dependencies: [
        .package(name: "TapSim", path: "../../../..", traits: []),
        .package(path: "../../../../Tools/AppleShims"),
    ],
    targets: [
        .target(
            name: "ICOCAReader",
            dependencies: [
                .product(name: "CoreNFC", package: "TapSim"),
                .product(name: "Combine", package: "AppleShims", condition: .when(platforms: [.linux])),
            ])
    ],
    swiftLanguageModes: [.v5]
)
