/**
 * LZ4 blocks, as Parquet stores them.
 *
 * Format: "LZ4 Block Format Description" (lz4_Block_format.md).
 *
 * No library: node:zlib has no LZ4. Output is checked against the length that the page declares, and never allocated beyond what the
 * input can expand to.
 */
import { CorruptInput } from '../../extraction-error.ts';
import { copyBack, copyLiteral, MARGIN, viewOf } from './block-bytes.ts';

/** One LZ4 block without framing. The format does not contain the output length, so it must be exactly `length`. */
export function unlz4(input: Uint8Array, length: number): Uint8Array {
  // No byte can expand to more than 255: memory is not allocated on a mere claim.
  if (length > 255 * input.length) throw new CorruptInput('LZ4 data');
  const output = new Uint8Array(length + MARGIN);
  if (lz4Into(input, output, 0) !== length) throw new CorruptInput('LZ4 data');
  return output.subarray(0, length);
}

/**
 * Hadoop's framing: output length, block length, block, and so on. Other writers of the same codec name omit the frame; returns null if
 * it is missing.
 */
export function unlz4Framed(input: Uint8Array, length: number): Uint8Array | null {
  if (length > 255 * input.length) throw new CorruptInput('LZ4 data');
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const output = new Uint8Array(length + MARGIN);
  let end = 0;
  for (let at = 0; at < input.length; ) {
    if (at + 8 > input.length) return null;
    const out = view.getUint32(at);
    const block = view.getUint32(at + 4);
    at += 8;
    if (at + block > input.length || end + out > length) return null;
    try {
      if (lz4Into(input.subarray(at, at + block), output, end) !== end + out) return null;
    } catch {
      return null;
    }
    at += block;
    end += out;
  }
  return end === length ? output.subarray(0, length) : null;
}

/** Where the output ends now. */
function lz4Into(input: Uint8Array, output: Uint8Array, start: number): number {
  const length = output.length - MARGIN;
  const from = viewOf(input);
  const to = viewOf(output);
  let end = start;
  let at = 0;
  const more = (base: number): number => {
    let sum = base;
    for (let byte = base === 15 ? 255 : 0; byte === 255; sum += byte) byte = input[at++] ?? 0;
    return sum;
  };
  while (at < input.length) {
    const token = input[at++]!;
    const literals = more(token >> 4);
    if (at + literals > input.length || end + literals > length) throw new CorruptInput('LZ4 data');
    copyLiteral(from, at, to, end, literals);
    at += literals;
    end += literals;
    if (at === input.length) return end;
    if (at + 2 > input.length) throw new CorruptInput('LZ4 data');
    const back = input[at]! + 256 * input[at + 1]!;
    at += 2;
    const count = more(token & 15) + 4;
    if (back === 0 || back > end - start || end + count > length) throw new CorruptInput('LZ4 data');
    copyBack(to, end, back, count);
    end += count;
  }
  return end;
}
