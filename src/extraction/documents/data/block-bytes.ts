/**
 * Short copies, of which Snappy and LZ4 blocks consist. They copy four bytes at a time, so the last step may write past the end of the
 * copy; outputs need a margin for that. The caller has checked that the source range is complete.
 */
export const MARGIN = 3;

/** Longer ranges use the engine's copy; for shorter ones the call costs more than the loop. */
const LONG = 64;
const LONG_REPEAT = 256;

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

export function copyLiteral(input: DataView, at: number, output: DataView, end: number, count: number): void {
  if (count > LONG) bytesAt(output, end, count).set(bytesAt(input, at, count));
  else if (at + count + MARGIN <= input.byteLength)
    for (let i = 0; i < count; i += 4) output.setInt32(end + i, input.getInt32(at + i, true), true);
  else for (let i = 0; i < count; i++) output.setUint8(end + i, input.getUint8(at + i));
}

/** Repeats the bytes from `back` bytes before; if that is less than `count`, the copy overlaps itself. */
export function copyBack(output: DataView, end: number, back: number, count: number): void {
  const from = end - back;
  if (count > LONG_REPEAT && back >= count) bytesAt(output, end, count).set(bytesAt(output, from, count));
  else if (back >= 4)
    for (let i = 0; i < count; i += 4) output.setInt32(end + i, output.getInt32(from + i, true), true);
  else for (let i = 0; i < count; i++) output.setUint8(end + i, output.getUint8(from + i));
}

function bytesAt(view: DataView, at: number, count: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + at, count);
}
