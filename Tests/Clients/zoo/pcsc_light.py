"""A minimal PC/SC with ctypes for the clients of the zoo, which are started hundreds of times."""
import ctypes

SUCCESS, NO_CARD, TIMEOUT, RESET, REMOVED = 0, 0x8010000C, 0x8010000A, 0x80100068, 0x80100069
CHANGED, PRESENT, MUTE = 0x0002, 0x0020, 0x0200
SHARED, T1, LEAVE = 2, 2, 0
LONGEST_ANSWER = 300

library = ctypes.CDLL("libpcsclite.so.1")
library.pcsc_stringify_error.restype = ctypes.c_char_p
Handle, Word = ctypes.c_long, ctypes.c_ulong


class PCSCError(Exception):
    """A call that failed, with its return code."""

    def __init__(self, call, code):
        super().__init__("%s: %s" % (call, library.pcsc_stringify_error(Handle(code)).decode()))
        self.code = code


class ReaderState(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("user", ctypes.c_void_p), ("current", Word), ("event", Word),
        ("atr_length", Word), ("atr", ctypes.c_ubyte * 33)]


class Protocol(ctypes.Structure):
    _fields_ = [("number", Word), ("length", Word)]


def give_back(name, *arguments):
    """Makes a call that releases something; retries once, because the service may be busy."""
    if getattr(library, name)(*arguments):
        getattr(library, name)(*arguments)


def call(name, *arguments):
    code = getattr(library, name)(*arguments) & 0xFFFFFFFF
    if code != SUCCESS:
        raise PCSCError(name, code)


class Context:
    """A context; the owner must release it."""

    def __init__(self):
        self.handle = Handle()
        call("SCardEstablishContext", Word(2), None, None, ctypes.byref(self.handle))

    def release(self):
        give_back("SCardReleaseContext", self.handle)

    def reader(self):
        """The name of the first reader."""
        names = ctypes.create_string_buffer(1024)
        length = Word(len(names))
        call("SCardListReaders", self.handle, None, names, ctypes.byref(length))
        return names.value

    def wait_for_card(self, reader, milliseconds):
        """Waits until a card is on a reader."""
        state = ReaderState(name=reader)
        for _ in range(8):
            call("SCardGetStatusChange", self.handle, Word(milliseconds), ctypes.byref(state), Word(1))
            if state.event & PRESENT and not state.event & MUTE:
                return
            state.current = state.event & ~CHANGED
        raise PCSCError("SCardGetStatusChange", NO_CARD)


class Card:
    """A connection to a card in a transaction; the owner must close it."""

    def __init__(self, context, reader):
        self.context, self.reader = context, reader
        self.handle, active = Handle(), Word()
        call(
            "SCardConnect", context.handle, reader, Word(SHARED), Word(T1), ctypes.byref(self.handle),
            ctypes.byref(active))
        try:
            call("SCardBeginTransaction", self.handle)
        except PCSCError:
            give_back("SCardDisconnect", self.handle, Word(LEAVE))
            raise

    def close(self):
        # A transaction that does not end ends with the connection.
        library.SCardEndTransaction(self.handle, Word(LEAVE))
        give_back("SCardDisconnect", self.handle, Word(LEAVE))

    def connect_again(self, milliseconds):
        """Connects to the card that lies on the reader, or comes within a time."""
        self.close()
        self.context.wait_for_card(self.reader, milliseconds)
        self.__init__(self.context, self.reader)

    def transmit(self, apdu):
        """Sends an APDU and returns its answer and the status word."""
        answer = ctypes.create_string_buffer(LONGEST_ANSWER)
        length, protocol = Word(len(answer)), Protocol(T1, ctypes.sizeof(Protocol))
        call(
            "SCardTransmit", self.handle, ctypes.byref(protocol), bytes(apdu), Word(len(apdu)), None, answer,
            ctypes.byref(length))
        found = answer.raw[:length.value]
        return found[:-2], int.from_bytes(found[-2:], "big")
