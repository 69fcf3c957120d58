import Testing
import UIKit

/// Controls and their targets.
@MainActor
@Suite struct `A control` {
    private final class Screen: UIViewController {
        var heard: [String] = []

        func tap() { heard.append("tap") }
        func tapped(_ sender: UIButton) { heard.append(sender.currentTitle ?? "") }
        func touched(_ sender: UIButton, event: UIEvent?) { heard.append("touch") }
    }

    private let screen = Screen()
    private let button = UIButton(type: .system)

    @Test func `tells its targets in order, each by its own method`() {
        button.setTitle("Scan", for: .normal)
        // The overlay's replacements for #selector(tap), #selector(tapped(_:)) and so on.
        button.addTarget(screen, action: Selector(screen.tap), for: .touchUpInside)
        button.addTarget(screen, action: Selector(screen.tapped(_:)), for: .touchUpInside)
        button.addTarget(screen, action: Selector(screen.touched(_:event:)), for: .touchUpInside)
        button.addTarget(screen, action: Selector(Screen.tap), for: .touchDown)
        button.addTarget(screen, action: Selector(Screen.tapped(_:)), for: .touchDown)
        button.sendActions(for: .touchUpInside)
        #expect(screen.heard == ["tap", "Scan", "touch"])
        button.sendActions(for: .touchDown)
        #expect(screen.heard == ["tap", "Scan", "touch", "tap", "Scan"])
        button.sendActions(for: .valueChanged)
        #expect(screen.heard.count == 5)
    }

    @Test func `tells a target that was removed no more`() {
        let other = Screen()
        button.addTarget(screen, action: Selector(Screen.tap), for: .touchUpInside)
        button.addTarget(other, action: Selector(Screen.tap), for: .touchUpInside)
        button.removeTarget(screen, action: nil, for: .allEvents)
        button.sendActions(for: .touchUpInside)
        #expect(screen.heard.isEmpty)
        #expect(other.heard == ["tap"])
    }

    @Test func `does not keep the target of a method of its class`() {
        var brief: Screen? = Screen()
        weak let watched = brief
        button.addTarget(brief, action: Selector(Screen.tap), for: .touchUpInside)
        brief = nil
        #expect(watched == nil)
        button.sendActions(for: .touchUpInside)
    }

    @Test func `does what an action says, which knows who sent it`() {
        var senders: [UIButton?] = []
        button.addAction(UIAction { senders.append($0.sender as? UIButton) }, for: .touchUpInside)
        button.sendActions(for: .touchUpInside)
        #expect(senders == [button])
        var pressed = 0
        let primary = UIButton(primaryAction: UIAction(title: "Read") { _ in pressed += 1 })
        primary.sendActions(for: .touchUpInside)
        #expect(pressed == 1)
        #expect(primary.currentTitle == "Read")
    }

    @Test func `of a bar is tapped by way of the app`() throws {
        let item = UIBarButtonItem(title: "Scan", style: .plain, target: screen, action: Selector(Screen.tap))
        screen.navigationItem.rightBarButtonItem = item
        UIApplication.shared.sendAction(try #require(item.action), to: item.target, from: item, for: nil)
        #expect(screen.heard == ["tap"])
    }

    @Test func `A class is known by its method, and by no name`() {
        #expect(screen.responds(to: Selector(Screen.tap)))
        #expect(!button.responds(to: Selector(Screen.tap)))
        #expect(!screen.responds(to: "tap"))
    }
}
