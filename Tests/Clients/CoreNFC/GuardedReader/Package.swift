// swift-tools-version: 6.1
import PackageDescription

// Sources of an app that are for iOS only. On Linux they are empty, unless Tools/corenfc-overlay makes os(iOS) true.
let package = Package(
    name: "GuardedReader",
    // Required by sources with texts in folders such as `en.lproj`.
    defaultLocalization: "en",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "GuardedReader", targets: ["GuardedReader"])],
    dependencies: [
        .package(name: "TapSim", path: "../../../..", traits: []),
        .package(path: "../../../../Tools/AppleShims"),
    ],
    targets: [
        .target(
            name: "GuardedReader",
            dependencies: [
                .product(name: "CoreNFC", package: "TapSim"),
                .product(name: "SwiftUI", package: "AppleShims", condition: .when(platforms: [.linux])),
                .product(name: "UIKit", package: "AppleShims", condition: .when(platforms: [.linux])),
                .product(name: "os", package: "AppleShims", condition: .when(platforms: [.linux])),
                .product(name: "Combine", package: "AppleShims", condition: .when(platforms: [.linux])),
                .product(
                    name: "FoundationLocalization", package: "AppleShims", condition: .when(platforms: [.linux])),
            ])
    ],
    swiftLanguageModes: [.v5]
)
