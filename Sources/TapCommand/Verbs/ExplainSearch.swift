/// A search for words in the pages of `explain`: in names, descriptions and what a fault models.
enum ExplainSearch {
    struct Hit {
        /// The name under which `explain` shows the page.
        let name: String
        let page: ExplainPage
    }

    private static let mostHits = 8
    /// Pages with less than this part of the best score are omitted: a third.
    private static let leastShare = 3

    /// Returns the pages that match best, with the best first.
    ///
    /// A page has to match every word, or all but one of three or more.
    static func hits(_ text: String) -> [Hit] {
        let terms = SearchTerm.terms(of: text)
        guard !terms.isEmpty else { return [] }
        let points = entries.map { entry in terms.map(entry.points) }
        // A rare word says more than `card`.
        let rarities = terms.indices.map { term in
            let count = max(1, points.count { $0[term] > 0 })
            return Int.bitWidth - (entries.count / count).leadingZeroBitCount
        }
        let least = terms.count > 2 ? terms.count - 1 : terms.count
        let found = zip(entries, points).enumerated().compactMap { index, element -> (Int, Int, Int)? in
            let (entry, points) = element
            let matches = points.count { $0 > 0 }
            guard matches >= least else { return nil }
            let score =
                zip(points, rarities).reduce(0) { $0 + $1.0 * $1.1 } + entry.bonus(for: terms, text.lowercased())
            return (matches, score, index)
        }
        let sorted = found.sorted { ($1.0, $1.1, $0.2) < ($0.0, $0.1, $1.2) }
        let best = sorted.first?.1 ?? 0
        var names: Set<String> = []
        let hits = sorted.filter { $0.1 * leastShare >= best }.map { entries[$0.2].hit }
        return Array(hits.filter { names.insert($0.name).inserted }.prefix(mostHits))
    }

    private static let entries: [Entry] = {
        var seen: Set<String> = []
        var entries: [Entry] = []
        for topic in ExplainTopic.all {
            let pages = topic.listed?() ?? topic.names.flatMap { name in topic.pages(name).map { (name, $0) } }
            for (name, page) in pages where seen.insert("\(page.title)\n\(page.summary)").inserted {
                entries.append(Entry(Hit(name: name, page: page)))
            }
        }
        return entries
    }()

    private struct Entry {
        let hit: Hit
        let fields: [Field]

        init(_ hit: Hit) {
            self.hit = hit
            let page = hit.page
            let lines = page.lines.map { Field($0.text, weight: ExplainPage.described.contains($0.heading) ? 3 : 1) }
            fields = [Field("\(hit.name) \(page.title)", weight: 3), Field(page.summary, weight: 3)] + lines
        }

        /// Returns the points for a word; lines that describe little count once.
        func points(_ term: SearchTerm) -> Int {
            var sum = 0
            var leastMatch = 0
            for field in fields {
                let points = field.weight * term.match(field)
                if field.weight > 1 { sum += points } else { leastMatch = max(leastMatch, points) }
            }
            return sum + leastMatch
        }

        /// Returns points for the words in their order, for a name or a line that is nothing else, and for a
        /// name that translates a Japanese word.
        func bonus(for terms: [SearchTerm], _ text: String) -> Int {
            let phrase = " \(terms.map(\.stem).joined(separator: " ")) "
            let name = Field(hit.name, weight: 1).phrase
            let isMeant = terms.count == 1 && terms[0].isTranslated(by: name)
            return fields.reduce(name == phrase ? 60 : isMeant ? 120 : 0) { sum, field in
                if field.text == text { return sum + 20 * field.weight }
                return sum + (terms.count > 1 && field.phrase.contains(phrase) ? 8 * field.weight : 0)
            }
        }
    }
}

/// A text of a page, prepared for searching.
struct SearchField {
    let weight: Int
    /// In lower case, for languages without spaces.
    let text: String
    let stems: Set<String>
    /// The stems in their order, between blanks.
    let phrase: String

    init(_ text: String, weight: Int) {
        self.weight = weight
        self.text = text.lowercased()
        let stems = SearchTerm.words(of: text).map(SearchTerm.stem)
        self.stems = Set(stems)
        phrase = " \(stems.joined(separator: " ")) "
    }
}

private typealias Field = SearchField

/// A word of a search, with words of similar meaning.
struct SearchTerm {
    let stem: String
    private let related: [String]

    /// Returns the words that say something: no articles and no single letters.
    static func terms(of text: String) -> [SearchTerm] {
        words(of: text).flatMap(runs).filter {
            !($0.count == 1 && $0.first?.isASCII == true) && !stopWords.contains($0)
        }
        .map(SearchTerm.init)
    }

    private init(_ word: String) {
        let stem = Self.stem(word)
        self.stem = stem
        related = Self.synonyms.filter { row in
            row.contains { $0 == stem || !$0.isASCIIText && stem.contains($0) }
        }.flatMap { $0 }
    }

    /// Returns 3 for the word itself, 2 for a similar word or a longer one, and 0 for no match.
    func match(_ field: SearchField) -> Int {
        if field.stems.contains(stem) || !stem.isASCIIText && field.text.contains(stem) { return 3 }
        let isSimilar = related.contains { $0.isASCIIText ? field.stems.contains($0) : field.text.contains($0) }
        let isLonger = stem.isASCIIText && stem.count > 3 && field.stems.contains { $0.hasPrefix(stem) }
        return isSimilar || isLonger ? 2 : 0
    }

    /// Returns whether a Japanese word has a name as its translation.
    func isTranslated(by name: String) -> Bool { !stem.isASCIIText && related.contains { " \($0) " == name } }

    static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Returns a word without its ending: `removed`, `removes` and `remove` have the same stem.
    static func stem(_ word: String) -> String {
        guard word.isASCIIText, word.count > 3 else { return word }
        var stem = Substring(word)
        guard let ending = ["ing", "ed", "es", "s", "e"].first(where: stem.hasSuffix), stem.count - ending.count > 2
        else { return word }
        stem = stem.dropLast(ending.count)
        let isDoubled = stem.last == stem.dropLast().last && stem.last != "l" && stem.last != "s"
        return String(isDoubled && stem.count > 3 ? stem.dropLast() : stem)
    }

    /// Splits Japanese at changes of script and drops particles and endings, which are hiragana: 離れた becomes 離.
    private static func runs(_ word: String) -> [String] {
        guard !word.isASCIIText else { return [word] }
        var runs: [(isHiragana: Bool, text: String)] = []
        for character in word {
            let isHiragana = ("ぁ"..."ん").contains(character)
            let isKatakana = ("ァ"..."ー").contains(character)
            if let last = runs.last, last.isHiragana == isHiragana,
                ("ァ"..."ー").contains(last.text.last ?? " ") == isKatakana
            {
                runs[runs.count - 1].text.append(character)
            } else {
                runs.append((isHiragana, String(character)))
            }
        }
        let words = runs.filter { !$0.isHiragana }.map(\.text)
        return words.isEmpty ? [word] : words
    }

    private static let stopWords: Set<String> = [
        "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "has", "have", "if", "in", "is", "it", "my",
        "of", "on", "or", "that", "the", "this", "to", "too", "was", "were", "when", "while", "with",
    ]

    /// Words of similar meaning, a row each.
    private static let synonyms = [
        "pull remove lift leave taken away withdraw gone 離 抜 外 取",
        "early soon premature 早",
        "two second several another multiple wallet 二枚 複数 財布",
        "empty blank zero unused new 空 未使用 新品",
        "wrong incorrect invalid 誤 間違 不正",
        "bad broken defective faulty malformed worn corrupt stuck 不良 故障 壊 破損",
        "password pin pwd 暗証番号 パスワード",
        "balance amount money 残高 金額",
        "history record trip journey 履歴",
        "slow delay late longer 遅",
        "timeout limit expire 制限 時間切",
        "weak edge 弱 電波",
        "noise interference disturb ノイズ 雑音",
        "reader device リーダー 読取機",
        "card tag カード タグ",
        "phone iphone smartphone スマホ スマートフォン 電話",
        "unplug disconnect cable ケーブル 切断",
        "hang wait forever freeze 待",
        "twice duplicate repeat again 二重 重複 再び",
        "lock readonly ロック 読み取り専用",
        "write store program 書",
        "counter count カウンター 回数",
        "cancel キャンセル 中止",
        "key 鍵",
        "station 駅",
        "silent silence 無応答",
        "fake forged clone emulator 偽",
        "swap replace exchange 入れ替 交換",
    ].map { row in row.split(separator: " ").map { stem(String($0)) } }
}

extension String {
    fileprivate var isASCIIText: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
