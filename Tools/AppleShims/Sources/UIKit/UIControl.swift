import Foundation

/// A view that notifies targets of user actions.
open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        public static let touchDown = Self(rawValue: 1 << 0)
        public static let touchUpInside = Self(rawValue: 1 << 6)
        public static let valueChanged = Self(rawValue: 1 << 12)
        public static let primaryActionTriggered = Self(rawValue: 1 << 13)
        public static let editingDidBegin = Self(rawValue: 1 << 16)
        public static let editingChanged = Self(rawValue: 1 << 17)
        public static let editingDidEnd = Self(rawValue: 1 << 18)
        public static let editingDidEndOnExit = Self(rawValue: 1 << 19)
        public static let allEvents = Self(rawValue: .max)
    }

    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The normal state.
        public static let normal: Self = []
        public static let highlighted = Self(rawValue: 1 << 0)
        public static let disabled = Self(rawValue: 1 << 1)
        public static let selected = Self(rawValue: 1 << 2)
    }

    private struct Listener {
        weak var target: AnyObject?
        let events: Event
        let send: @MainActor (UIControl) -> Void
    }

    open var isEnabled = true
    open var isSelected = false
    open var isHighlighted = false

    private var listeners: [Listener] = []

    open func addTarget(_ target: Any?, action: Selector, for events: Event) {
        let object = target.map { $0 as AnyObject }
        listeners.append(
            Listener(target: object, events: events) { [weak object] sender in action.send(object, sender, nil) })
    }

    open func removeTarget(_ target: Any?, action: Selector?, for events: Event) {
        let object = target.map { $0 as AnyObject }
        listeners.removeAll { listener in
            !listener.events.isDisjoint(with: events) && (object == nil || listener.target === object)
        }
    }

    open func addAction(_ action: UIAction, for events: Event) {
        listeners.append(Listener(target: action, events: events) { sender in action.perform(from: sender) })
    }

    /// Notifies the targets of events, in the order in which they were added; this is how a test taps.
    open func sendActions(for events: Event) {
        for listener in listeners where !listener.events.isDisjoint(with: events) { listener.send(self) }
    }
}

/// An action with a title.
@preconcurrency @MainActor
open class UIAction: NSObject {
    public typealias Handler = (UIAction) -> Void

    open var title: String
    open private(set) var sender: Any?

    private let handler: Handler

    public init(title: String = "", image: UIImage? = nil, handler: @escaping Handler) {
        self.title = title
        self.handler = handler
    }

    func perform(from sender: Any) {
        self.sender = sender
        handler(self)
        self.sender = nil
    }
}

/// A button.
open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable {
        case custom = 0
        case system = 1
    }

    /// The text on the button; a storyboard's text is not read.
    open private(set) lazy var titleLabel: UILabel? = UILabel()

    private var titles: [State: String] = [:]

    public convenience init(type: ButtonType = .custom) {
        self.init(frame: .zero)
    }

    public convenience init(type: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero)
        guard let primaryAction else { return }
        setTitle(primaryAction.title, for: .normal)
        addAction(primaryAction, for: [.touchUpInside, .primaryActionTriggered])
    }

    open var currentTitle: String? { title(for: isEnabled ? .normal : .disabled) }

    open func setTitle(_ title: String?, for state: State) {
        titles[state] = title
        titleLabel?.text = currentTitle
    }

    /// Returns the button's title; the title for `normal` if a state has none of its own.
    open func title(for state: State) -> String? {
        titles[state] ?? titles[.normal]
    }

    /// Does nothing: text colors are not shown.
    open func setTitleColor(_ color: UIColor?, for state: State) {}
    /// Does nothing: images are not shown.
    open func setImage(_ image: UIImage?, for state: State) {}
}

/// A switch.
open class UISwitch: UIControl {
    open var isOn = false

    open func setOn(_ isOn: Bool, animated: Bool) {
        self.isOn = isOn
    }
}

/// A choice among several options.
open class UISegmentedControl: UIControl {
    open var selectedSegmentIndex = -1
    open var numberOfSegments: Int { items.count }

    private var items: [String] = []

    public convenience init(items: [Any]?) {
        self.init(frame: .zero)
        self.items = items?.map { "\($0)" } ?? []
    }

    open func titleForSegment(at index: Int) -> String? {
        items.indices.contains(index) ? items[index] : nil
    }
}
