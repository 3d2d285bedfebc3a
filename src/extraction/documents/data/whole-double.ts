/** Recognises 64-bit floating-point numbers that are integers. Identifiers may be stored that way; real fractions don't identify anyone. */
const LAST_BYTE_IS_FRACTION = 1023 + 52 - 8;
/** A DataView per position would cost more than copying eight bytes. */
const scratch = new Uint8Array(8);
const view = new DataView(scratch.buffer);

/**
 * Returns null unless it is an exactly representable integer. `first`: the position of the byte with the sign; the others follow in the
 * direction of `step`.
 */
export function wholeDouble(bytes: Uint8Array, first: number, step: 1 | -1): number | null {
  // Most fractions have bits set down to their last byte, which is tested without converting the number.
  const exponent = ((bytes[first]! & 0x7f) << 4) | (bytes[first + step]! >> 4);
  if (bytes[first + 7 * step] !== 0 && exponent <= LAST_BYTE_IS_FRACTION) return null;
  for (let i = 0; i < 8; i++) scratch[i] = bytes[first + i * step]!;
  const value = view.getFloat64(0);
  return Number.isSafeInteger(value) ? value : null;
}
