"""The card emulation of nfcpy, to be measured beside ours.

Arguments: SENSF_RES of the card, the code of a service and its blocks, all in hex, then the commands. Prints the answer to each
command, `-` for silence; then, for every number it is told, sends all commands as often and prints how many nanoseconds
its thread ran.
"""
import sys
import time

import nfc.clf
import nfc.tag.tt3

sensf_res, service, blocks = (bytearray.fromhex(word) for word in sys.argv[1:4])
commands = [bytearray.fromhex(word) for word in sys.argv[4:]]
target = nfc.clf.LocalTarget("212F", sensf_res=sensf_res, tt3_cmd=commands[0][1:])
card = nfc.tag.tt3.Type3TagEmulation(None, target)
card.add_service(
    int.from_bytes(service, "big"), lambda number, begin, end: blocks[16 * number:16 * number + 16], None)

for command in commands:
    answer = card.process_command(command)
    print(answer.hex() if answer else "-")
sys.stdout.flush()
for line in sys.stdin:
    start = time.thread_time_ns()
    for _ in range(int(line)):
        for command in commands:
            card.process_command(command)
    print(time.thread_time_ns() - start, flush=True)
