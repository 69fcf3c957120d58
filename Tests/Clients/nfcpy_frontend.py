"""Opens nfcpy at the path that TapSim sets: one of nfcpy's own paths, or a PN532 on any serial port."""
import functools
import os

import nfc
import nfc.clf
import nfc.clf.pn532
import nfc.clf.transport

# The minimum time in seconds that the UDP driver waits for an answer. A card has milliseconds, in which a busy machine may not
# run this program at all: it would time out, retry, and mistake the answer to the first request for the next one.
CARD_PATIENCE = 0.2
# The minimum time in milliseconds that a serial line waits for the chip, for the same reason; nfcpy uses 100.
CHIP_PATIENCE = 500


class PatientTTY(nfc.clf.transport.TTY):
    def read(self, timeout):
        return super().read(max(timeout, CHIP_PATIENCE))


def open_frontend(path=None):
    """Opens a contactless frontend; without a path, at TAPSIM_NFCPY or TAPSIM_TTY."""
    path = path or os.environ.get("TAPSIM_NFCPY") or os.environ["TAPSIM_TTY"]
    if not path.startswith("/dev/"):
        frontend = nfc.ContactlessFrontend(path)
        frontend.device.send_cmd_recv_rsp = functools.partial(wait_longer, frontend.device.send_cmd_recv_rsp)
        return frontend
    # nfcpy accepts only files directly in /dev as a path.
    frontend = nfc.ContactlessFrontend()
    frontend.device = nfc.clf.pn532.init(PatientTTY(path))
    return frontend


def wait_longer(exchange, target, data, timeout):
    """Exchanges like the driver, which does not wait if there is no time-out for an answer."""
    return exchange(target, data, max(timeout, CARD_PATIENCE) if timeout else timeout)
