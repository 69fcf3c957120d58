#pragma once
#include <stddef.h>
#include <stdint.h>

// Checksums as fast as plain C has them here.

/// Bytes of a checksum.
enum { CRC_BYTES = 2 };

/// The checksum of a FeliCa frame, to be sent with its high byte first.
uint16_t crc16_felica(const uint8_t *bytes, size_t count);
/// CRC_A, to be sent with its low byte first.
uint16_t crc_a(const uint8_t *bytes, size_t count);
