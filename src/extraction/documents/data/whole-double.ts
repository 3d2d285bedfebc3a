/** Fractions of 64 bits as files have them. Numbers that identify somebody may have become such; real fractions identify nobody. */
const LAST_BYTE_IS_FRACTION = 1023 + 52 - 8;
/** A view of each place would cost more than to copy eight bytes. */
const scratch = new Uint8Array(8);
const view = new DataView(scratch.buffer);

/** Null: it is none, or none that is exact. `first`: where the byte of the sign stands; the others follow in the direction of `step`. */
export function wholeDouble(bytes: Uint8Array, first: number, step: 1 | -1): number | null {
  // Most have digits behind the point down to their last byte: that is seen without making a number of them.
  const exponent = ((bytes[first]! & 0x7f) << 4) | (bytes[first + step]! >> 4);
  if (bytes[first + 7 * step] !== 0 && exponent <= LAST_BYTE_IS_FRACTION) return null;
  for (let i = 0; i < 8; i++) scratch[i] = bytes[first + i * step]!;
  const value = view.getFloat64(0);
  return Number.isSafeInteger(value) ? value : null;
}
