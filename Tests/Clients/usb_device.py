"""Reads the firmware version of an RC-S380 with pyusb, and prints it as JSON."""
import json

import usb.core
import usb.util

GET_FIRMWARE = bytes.fromhex("0000ffffff0200fed6200a00")

device = usb.core.find(idVendor=0x054C, idProduct=0x06C3)
device.set_configuration()
usb.util.claim_interface(device, 0)
device.write(0x02, GET_FIRMWARE)
acknowledgement = bytes(device.read(0x81, 64))
answer = bytes(device.read(0x81, 64))
print(json.dumps({
    "product": device.product, "serial": device.serial_number,
    "acknowledgement": acknowledgement.hex(), "answer": answer.hex(),
}))
