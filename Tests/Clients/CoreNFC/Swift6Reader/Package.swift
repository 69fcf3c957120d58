// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Swift6Reader",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [.library(name: "Swift6Reader", targets: ["Swift6Reader"])],
    dependencies: [
        .package(name: "TapSim", path: "../../../..", traits: [])
    ],
    targets: [
        .target(
            name: "Swift6Reader",
            dependencies: [.product(name: "CoreNFC", package: "TapSim")])
    ],
    swiftLanguageModes: [.v6]
)
