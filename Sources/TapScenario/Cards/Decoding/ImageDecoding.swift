import TapCards
import TapWire

extension CardDecoder {
    /// The dump under `image`, or nothing if there is none or it cannot be read, which is reported.
    mutating func readImage() -> TagImage? {
        guard case .scalar(let path)? = map["image"]?.node else { return nil }
        guard let files, let base = path.written?.file.name else {
            report(
                Diagnostic(
                    .noFiles, "`\(path.text)` cannot be read here, where a scenario is one document", at: path,
                    hint: "`tapsim check --resolved --json` writes a scenario out with all that it names"))
            return nil
        }
        do {
            let file = try files.open(path.text, namedIn: base, maximumBytes: TagImage.maximumBytes)
            return image(of: file, path)
        } catch {
            report(error.diagnostic(path))
            return nil
        }
    }

    private mutating func image(of file: CompanionFile, _ path: Scalar) -> TagImage? {
        do {
            return try TagImage(reading: SourceFile(name: file.name, bytes: file.bytes))
        } catch {
            report(Diagnostic(.noDump, "\(file.name): \(error.message)", at: path, hint: error.hint))
            return nil
        }
    }

    /// The tag of a dump, which has to be one of the IC.
    mutating func tag(_ product: NTAGProduct, of image: TagImage) -> NTAGDefinition? {
        if let other = image.product, other != product {
            report(
                .contradiction, "the dump is of an \(other.rawValue), the card is an \(product.rawValue)",
                at: value("image"), hint: "leave `ic` and `template` out, or name another dump")
            return nil
        }
        do {
            let tag = try image.tag(product)
            let count = image.memory.count / PageData.byteCount
            if count < product.layout.pageCount {
                report(
                    .partialDump,
                    "the dump has \(CountText.of(count, "page")) of the \(product.layout.pageCount) of an "
                        + "\(product.rawValue)", at: value("image"),
                    hint: "the others are as at delivery; read the tag once more, with its password if it has one")
            }
            return tag
        } catch {
            report(.noDump, "the dump does not fit the card: \(error)", at: value("image"))
            return nil
        }
    }

    /// Tells that the password of a dumped tag is not known, unless the file says so itself.
    mutating func checkPassword(of tag: NTAGDefinition, from image: TagImage) {
        guard !tag.isPasswordKnown, map["config"]?.map["pwd_known"] == nil else { return }
        let reason =
            image.hasPassword(tag.product) ? "PWD reads as zeros, as it does on every tag" : "it ends before PWD"
        report(
            .partialDump, "the dump does not hold the password: \(reason)", at: value("image"),
            hint: "write `config: {pwd: …}` beside `image`; until then PWD_AUTH is refused, whatever it sends")
    }
}
