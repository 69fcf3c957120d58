// swift-tools-version: 6.2
import PackageDescription

// The modules that iOS client code imports and Linux lacks. A separate package: with a module named UIKit in a build,
// `canImport(UIKit)` becomes true for every target that can see it, so none of these may reach a product of TapSim.
let package = Package(
    name: "AppleShims",
    products: [
        .library(name: "Combine", targets: ["Combine"]),
        .library(name: "FoundationLocalization", targets: ["FoundationLocalization"]),
        .library(name: "os", targets: ["os"]),
        .library(name: "SwiftUI", targets: ["SwiftUI", "_Testing_UIKit"]),
        .library(name: "UIKit", targets: ["UIKit", "_Testing_UIKit"]),
    ],
    targets: [
        .target(name: "Combine"),
        .target(name: "FoundationLocalization"),
        .target(name: "os", dependencies: ["OSModuleMap"]),
        // Declares the Clang module `os` with its submodule `log`, which the Swift module overlays: only a Clang module can be
        // imported as `os.log`.
        .systemLibrary(name: "OSModuleMap"),
        .target(name: "SwiftUI", dependencies: ["Combine", "UIKit"]),
        .target(name: "UIKit"),
        .target(name: "_Testing_UIKit"),
        .testTarget(name: "CombineTests", dependencies: ["Combine"]),
        .testTarget(name: "FoundationLocalizationTests", dependencies: ["FoundationLocalization"]),
        .testTarget(name: "OSTests", dependencies: ["os"]),
        .testTarget(name: "SwiftUITests", dependencies: ["SwiftUI", "_Testing_UIKit"]),
        .testTarget(name: "UIKitTests", dependencies: ["UIKit", "_Testing_UIKit"]),
    ],
    // Apple's modules are not annotated for Swift 6, and published clients are compiled that way.
    swiftLanguageModes: [.v5]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
