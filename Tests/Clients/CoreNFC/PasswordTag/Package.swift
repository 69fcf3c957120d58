// swift-tools-version: 6.1
import PackageDescription

// Code in Swift 5 mode, like most published code; `traits` require newer tools.
let package = Package(
    name: "PasswordTag",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "PasswordTag", targets: ["PasswordTag"])],
    dependencies: [
        .package(name: "TapSim", path: "../../../..", traits: [])
    ],
    targets: [
        .target(
            name: "PasswordTag",
            dependencies: [.product(name: "CoreNFC", package: "TapSim")])
    ],
    swiftLanguageModes: [.v5]
)
