#if os(iOS)
    import CoreNFC
    import UIKit

    /// A storyboard screen that reads pages of a tag, starting at a number that the user enters.
    public final class PageViewController: UIViewController, UITextFieldDelegate, NFCTagReaderSessionDelegate {
        @IBOutlet public weak var pageField: UITextField!
        @IBOutlet public weak var scanButton: UIButton!
        @IBOutlet public weak var statusLabel: UILabel!
        @IBOutlet public weak var bytesView: UITextView!
        @IBOutlet weak var space: NSLayoutConstraint!

        private var session: NFCTagReaderSession?

        public override func viewDidLoad() {
            super.viewDidLoad()
            pageField.delegate = self
            space.constant = 8
            scanButton.setTitle("Scan", for: .normal)
            scanButton.addTarget(self, action: #selector(scan(_:)), for: .touchUpInside)
            navigationItem.rightBarButtonItem = UIBarButtonItem(
                barButtonSystemItem: .trash, target: self, action: #selector(PageViewController.clear))
            view.addSubview(pageField)
            view.addGestureRecognizer(UITapGestureRecognizer(target: view, action: #selector(UIView.endEditing)))
        }

        public func textFieldDidEndEditing(_ textField: UITextField) {
            statusLabel.text = "From page \(textField.text ?? "")"
        }

        @objc private func scan(_ sender: UIButton) {
            guard UInt8(pageField.text ?? "") != nil else {
                let alert = UIAlertController(title: "Which page?", message: nil, preferredStyle: .alert)
                return present(alert, animated: true)
            }
            sender.isEnabled = false
            session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self, queue: .main)
            session?.begin()
        }

        @objc private func clear() {
            bytesView.text = nil
        }

        public func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

        public func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
            guard case .miFare(let tag) = tags[0], tag.isKind(of: NSObject.self) else { return session.invalidate() }
            let page = UInt8(pageField.text ?? "") ?? 0
            session.connect(to: tags[0]) { _ in
                tag.sendMiFareCommand(commandPacket: Data([0x30, page])) { answer, error in
                    let text = answer.map { String(format: "%02X", $0) }.joined()
                    DispatchQueue.main.async { self.bytesView.text += error?.localizedDescription ?? text }
                    session.invalidate()
                }
            }
        }

        public func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
            scanButton.isEnabled = true
        }
    }
#endif
