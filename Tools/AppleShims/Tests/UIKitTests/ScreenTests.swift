import Testing
import UIKit

/// Screens: their creation, subviews and presented screens.
@MainActor
@Suite struct `A screen` {
    @Test func `is made without a storyboard, by initializers of its own too`() {
        final class Detail: UIViewController {
            let number: Int

            init(number: Int) {
                self.number = number
                super.init(nibName: nil, bundle: nil)
            }

            required init?(coder: NSCoder) { nil }
        }
        final class Main: UIViewController {
            let label: UILabel

            init() {
                label = UILabel()
                super.init(nibName: nil, bundle: nil)
            }

            required init?(coder: NSCoder) { nil }

            override func viewDidLoad() {
                super.viewDidLoad()
                view.addSubview(label)
                label.translatesAutoresizingMaskIntoConstraints = false
                NSLayoutConstraint.activate([
                    label.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 8),
                    label.centerXAnchor.constraint(equalTo: view.centerXAnchor),
                ])
            }
        }
        let main = Main()
        #expect(!main.isViewLoaded)
        #expect(main.view.subviews == [main.label])
        #expect(main.label.superview === main.view)
        #expect(Detail(number: 7).number == 7)
    }

    @Test func `lies on a stack, which goes back no further than its first`() {
        let (first, second) = (UIViewController(), UIViewController())
        let stack = UINavigationController(rootViewController: first)
        first.navigationController?.pushViewController(second, animated: true)
        #expect(stack.topViewController === second)
        #expect(second.navigationController === stack)
        #expect(stack.popViewController(animated: true) === second)
        #expect(second.navigationController == nil)
        #expect(stack.popViewController(animated: true) == nil)
        #expect(stack.viewControllers == [first])
    }

    @Test func `A message made away from the main actor compiles, as UIKit's isolation does not bind Swift 5`() {
        let screen = UIViewController()
        Reader(screen).fail()
        #expect((screen.presentedViewController as? UIAlertController)?.message == "No card")
    }

    @Test func `A view leaves the one it lay in`() {
        let (first, second, label) = (UIView(), UIView(), UILabel())
        label.tag = 4
        first.addSubview(label)
        second.addSubview(label)
        #expect(first.subviews.isEmpty)
        #expect(second.viewWithTag(4) === label)
        label.removeFromSuperview()
        #expect(label.superview == nil)
    }
}

/// A reader as written before Swift had actors.
private final class Reader: NSObject {
    let screen: UIViewController

    init(_ screen: UIViewController) {
        self.screen = screen
    }

    func fail() {
        let alert = UIAlertController(title: "Failed", message: "No card", preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        screen.present(alert, animated: true)
    }
}
