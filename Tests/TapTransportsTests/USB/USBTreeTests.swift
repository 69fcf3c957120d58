import Foundation
import TapReaders
import TapWire
import TestSupport
import Testing

@testable import TapTransports

/// The folder that shows readers to a program, which the program can write to as well.
@Suite struct `The USB device tree` {
    @Test(arguments: ["hard link", "symbolic link", "pipe"])
    func `does not write through files or links that a program puts in place of its own`(_ trap: String) throws {
        let victim = try TestFolder.make().appendingPathComponent("victim")
        try Data("mine".utf8).write(to: victim)
        let root = try TestFolder.make().path
        let tree = try USBTree(root)
        let place = USBLocation(port: 1)
        let folder = "\(root)/sys\(place.path)"
        let device = try #require(ReaderModel.rcs380.makeUSBReader()).device
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["idVendor", "descriptors"] {
            let path = "\(folder)/\(name)"
            switch trap {
            case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
            case "hard link": try FileManager.default.linkItem(atPath: victim.path, toPath: path)
            default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim.path)
            }
        }
        try tree.add(device, at: place)
        #expect(try String(contentsOf: victim, encoding: .utf8) == "mine")
        #expect(try String(contentsOfFile: "\(folder)/idVendor", encoding: .utf8) == "054c\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/descriptors")) == Data(device.descriptors))
    }
}
