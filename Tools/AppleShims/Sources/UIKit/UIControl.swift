import Foundation

/// A view that tells targets what a person does with it.
open class UIControl: UIView {
    /// What a person does.
    public struct Event: OptionSet, Sendable {
        /// A bit for each.
        public let rawValue: UInt

        /// Takes the bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// A finger goes down on it.
        public static let touchDown = Self(rawValue: 1 << 0)
        /// A finger goes up from it.
        public static let touchUpInside = Self(rawValue: 1 << 6)
        /// Its value changes.
        public static let valueChanged = Self(rawValue: 1 << 12)
        /// It does what it is mainly for.
        public static let primaryActionTriggered = Self(rawValue: 1 << 13)
        /// The editing of its text begins.
        public static let editingDidBegin = Self(rawValue: 1 << 16)
        /// Its text changes.
        public static let editingChanged = Self(rawValue: 1 << 17)
        /// The editing of its text ends.
        public static let editingDidEnd = Self(rawValue: 1 << 18)
        /// The return key ends the editing.
        public static let editingDidEndOnExit = Self(rawValue: 1 << 19)
        /// Whatever it is.
        public static let allEvents = Self(rawValue: .max)
    }

    /// How it looks.
    public struct State: OptionSet, Hashable, Sendable {
        /// A bit for each.
        public let rawValue: UInt

        /// Takes the bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// As always.
        public static let normal: Self = []
        /// While a finger is on it.
        public static let highlighted = Self(rawValue: 1 << 0)
        /// While it cannot be used.
        public static let disabled = Self(rawValue: 1 << 1)
        /// While it is chosen.
        public static let selected = Self(rawValue: 1 << 2)
    }

    /// Who hears of an event, and how.
    private struct Listener {
        weak var target: AnyObject?
        let events: Event
        let send: @MainActor (UIControl) -> Void
    }

    /// Whether it can be used.
    open var isEnabled = true
    /// Whether it is chosen.
    open var isSelected = false
    /// Whether a finger is on it.
    open var isHighlighted = false

    private var listeners: [Listener] = []

    /// Tells a target of events.
    open func addTarget(_ target: Any?, action: Selector, for events: Event) {
        let object = target.map { $0 as AnyObject }
        listeners.append(
            Listener(target: object, events: events) { [weak object] sender in action.send(object, sender, nil) })
    }

    /// Tells a target of events no more, whatever the action: two of them cannot be compared.
    open func removeTarget(_ target: Any?, action: Selector?, for events: Event) {
        let object = target.map { $0 as AnyObject }
        listeners.removeAll { listener in
            !listener.events.isDisjoint(with: events) && (object == nil || listener.target === object)
        }
    }

    /// Does something at events.
    open func addAction(_ action: UIAction, for events: Event) {
        listeners.append(Listener(target: action, events: events) { sender in action.perform(from: sender) })
    }

    /// Tells its targets of events, in the order in which they were added; this is how a test taps.
    open func sendActions(for events: Event) {
        for listener in listeners where !listener.events.isDisjoint(with: events) { listener.send(self) }
    }
}

/// Something to do, with a title.
@preconcurrency @MainActor
open class UIAction: NSObject {
    /// What is done.
    public typealias Handler = (UIAction) -> Void

    /// What a person reads.
    open var title: String
    /// What sent it, while it is done.
    open private(set) var sender: Any?

    private let handler: Handler

    /// Something to do.
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
    /// How it looks.
    public enum ButtonType: Int, Sendable {
        /// As its app has it.
        case custom = 0
        /// As the system has it.
        case system = 1
    }

    /// The text on it; that of a storyboard is not read.
    open private(set) lazy var titleLabel: UILabel? = UILabel()

    private var titles: [State: String] = [:]

    /// A button of a kind.
    public convenience init(type: ButtonType = .custom) {
        self.init(frame: .zero)
    }

    /// A button that does something when it is tapped.
    public convenience init(type: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero)
        guard let primaryAction else { return }
        setTitle(primaryAction.title, for: .normal)
        addAction(primaryAction, for: [.touchUpInside, .primaryActionTriggered])
    }

    /// The text on it now.
    open var currentTitle: String? { title(for: isEnabled ? .normal : .disabled) }

    /// Says what stands on it.
    open func setTitle(_ title: String?, for state: State) {
        titles[state] = title
        titleLabel?.text = currentTitle
    }

    /// What stands on it; the text for `normal` where a state has none of its own.
    open func title(for state: State) -> String? {
        titles[state] ?? titles[.normal]
    }

    /// Says in what color its text would be.
    open func setTitleColor(_ color: UIColor?, for state: State) {}
    /// Says what would be seen on it.
    open func setImage(_ image: UIImage?, for state: State) {}
}

/// A switch.
open class UISwitch: UIControl {
    /// Whether it is on.
    open var isOn = false

    /// Turns it on or off.
    open func setOn(_ isOn: Bool, animated: Bool) {
        self.isOn = isOn
    }
}

/// A choice of one among several.
open class UISegmentedControl: UIControl {
    /// What is chosen, or -1.
    open var selectedSegmentIndex = -1
    /// How many there are.
    open var numberOfSegments: Int { items.count }

    private var items: [String] = []

    /// A choice among texts.
    public convenience init(items: [Any]?) {
        self.init(frame: .zero)
        self.items = items?.map { "\($0)" } ?? []
    }

    /// The text of a choice.
    open func titleForSegment(at index: Int) -> String? {
        items.indices.contains(index) ? items[index] : nil
    }
}
