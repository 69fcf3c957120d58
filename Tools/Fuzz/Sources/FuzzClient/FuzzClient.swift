import FuzzSupport

/// A template: feeds a client's own function, which reads over a `TagLink`, with every fault that an input chooses.
///
/// Copy this folder, and put your client in the place of `Balance` and your card in the place of this one.
@c(FuzzClient_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    // Other data that a card gives with success: one block has nothing it could be held against.
    let unseen = ["felica.zero_blocks", "felica.torn_block", "felica.cyclic_shift", "rf.flip_bits"]
    return unsafe Fuzzer.run(count, arguments, card: "suica:balance=1234", except: unseen) { link in
        try await Balance.read(from: &link)
    }
}
