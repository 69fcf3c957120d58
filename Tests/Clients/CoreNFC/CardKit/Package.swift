// swift-tools-version: 6.1
import PackageDescription

// Code in Swift 5 mode, like most published code; `traits` require newer tools.
let package = Package(
    name: "CardKit",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "CardKit", targets: ["CardKit"])],
    dependencies: [
        .package(name: "TapSim", path: "../../../..", traits: [])
    ],
    targets: [
        .target(
            name: "CardKit",
            dependencies: [.product(name: "CoreNFC", package: "TapSim")])
    ],
    swiftLanguageModes: [.v5]
)
