import CoreNFC
import Testing

/// A session as apps extend it, with state that an extension cannot store.
private class Holder: NSObject {}

nonisolated(unsafe) private var firstKey: UInt8 = 0
nonisolated(unsafe) private var secondKey: UInt8 = 0

extension Holder {
    fileprivate var note: String? {
        get { objc_getAssociatedObject(self, &firstKey) as? String }
        set { objc_setAssociatedObject(self, &firstKey, newValue, .OBJC_ASSOCIATION_RETAIN_NONATOMIC) }
    }

    fileprivate var other: Holder? {
        get { objc_getAssociatedObject(self, &secondKey) as? Holder }
        set { objc_setAssociatedObject(self, &secondKey, newValue, .OBJC_ASSOCIATION_ASSIGN) }
    }
}

@Suite("Associated objects of an extension")
struct AssociationSuite {
    @Test("are stored per object and key until they are removed")
    func values() {
        let (first, second) = (Holder(), Holder())
        first.note = "first"
        second.note = "second"
        #expect(first.note == "first" && second.note == "second" && first.other == nil)
        first.note = nil
        #expect(first.note == nil && second.note == "second")
        objc_removeAssociatedObjects(second)
        #expect(second.note == nil)
    }

    @Test("are not retained if they are only assigned")
    func assigned() {
        let holder = Holder()
        var other: Holder? = Holder()
        holder.other = other
        #expect(holder.other === other)
        other = nil
        #expect(holder.other == nil)
    }

    @Test("are released after their object")
    func lifetime() {
        weak var value: Holder?
        do {
            let holder = Holder()
            let held = Holder()
            value = held
            objc_setAssociatedObject(holder, &secondKey, held, .OBJC_ASSOCIATION_RETAIN)
        }
        let next = Holder()
        next.note = "next"
        #expect(value == nil && next.note == "next")
    }
}

@Suite("Objects")
struct ClassSuite {
    @Test("know their superclasses and protocols")
    func kinds() {
        final class Lower: Holder {}
        let lower = Lower()
        #expect(lower.isKind(of: Lower.self) && lower.isKind(of: Holder.self) && lower.isKind(of: NSObject.self))
        #expect(!Holder().isKind(of: Lower.self) && !lower.isKind(of: NFCReaderSession.self))
        let kind: AnyClass = Holder.self
        #expect(lower.isKind(of: kind) && !NSObject().isKind(of: kind))
        let tag: any NFCNDEFTag = MiFareDouble()
        #expect(tag.isKind(of: NFCMiFareTag.self) && !tag.isKind(of: NFCFeliCaTag.self))
    }
}

@Suite("A user activity that an app continues")
struct ActivitySuite {
    @Test("has a message without records if no tag was read")
    func empty() {
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        activity.webpageURL = URL(string: "https://example.com")
        #expect(activity.ndefMessagePayload.records.isEmpty)
    }
}

@Suite("A command for a pass")
struct PassCommandSuite {
    @Test("and its copy have the same settings")
    func command() throws {
        let url = try #require(URL(string: "https://example.com"))
        let command = NFCVASCommandConfiguration(vasMode: .urlOnly, passTypeIdentifier: "pass.example", url: url)
        let copy = try #require(command.copy() as? NFCVASCommandConfiguration)
        command.mode = .normal
        #expect(copy.mode == .urlOnly && copy.passTypeIdentifier == "pass.example" && copy.url == url)
        let response = NFCVASResponse()
        #expect(response.status == .success && response.vasData.isEmpty && response.mobileToken.isEmpty)
    }
}
