"""Opens nfcpy where TapSim says: by a path of nfcpy's own, or a PN532 on any serial port."""
import functools
import os

import nfc
import nfc.clf
import nfc.clf.pn532
import nfc.clf.transport

# Seconds the UDP driver waits for an answer at least. A card has milliseconds, in which a busy machine may not let this
# program run at all: it would give up, ask again, and take the answer to the first question for that to the next one.
CARD_PATIENCE = 0.2
# Milliseconds a line waits for a chip at least, for the same reason; nfcpy gives it 100.
CHIP_PATIENCE = 500


class PatientTTY(nfc.clf.transport.TTY):
    def read(self, timeout):
        return super().read(max(timeout, CHIP_PATIENCE))


def open_frontend(path=None):
    """A contactless frontend; without a path, at what TAPSIM_NFCPY or TAPSIM_TTY names."""
    path = path or os.environ.get("TAPSIM_NFCPY") or os.environ["TAPSIM_TTY"]
    if not path.startswith("/dev/"):
        frontend = nfc.ContactlessFrontend(path)
        frontend.device.send_cmd_recv_rsp = functools.partial(wait_longer, frontend.device.send_cmd_recv_rsp)
        return frontend
    # As a path, nfcpy takes files directly in /dev only.
    frontend = nfc.ContactlessFrontend()
    frontend.device = nfc.clf.pn532.init(PatientTTY(path))
    return frontend


def wait_longer(exchange, target, data, timeout):
    """Exchanges as the driver does, which waits for nothing where there is no time for an answer."""
    return exchange(target, data, max(timeout, CARD_PATIENCE) if timeout else timeout)
