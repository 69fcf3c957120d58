// swift-tools-version: 6.1
import PackageDescription

// Code in Swift 5 mode, like most published code; `traits` require newer tools.
let package = Package(
    name: "SuicaReader",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "SuicaReader", targets: ["SuicaReader"])],
    dependencies: [
        .package(name: "TapSim", path: "../../../..", traits: [])
    ],
    targets: [
        .target(
            name: "SuicaReader",
            dependencies: [.product(name: "CoreNFC", package: "TapSim")])
    ],
    swiftLanguageModes: [.v5]
)
