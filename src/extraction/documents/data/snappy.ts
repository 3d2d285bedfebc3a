/**
 * Snappy blocks, as Parquet and Avro store them.
 *
 * Format: "Snappy compressed format description" (format_description.txt).
 *
 * No library: node:zlib has no Snappy. Output is never allocated beyond what the input can expand to.
 */
import { CorruptInput } from '../../extraction-error.ts';
import { copyBack, copyLiteral, MARGIN, viewOf } from './block-bytes.ts';

const LITERAL = 0;
const NEAR = 1;
const FAR = 2;
const MAX_LENGTH = 2 ** 31 - 1;

/** Does the same faster. Null: the bytes are not what they should be; undefined: it is too much for it. */
export interface FastSnappy {
  unpackSnappy(compressed: Uint8Array, length: number): Uint8Array | null | undefined;
}

/**
 * One Snappy block without framing. It begins with the output length, which may be any number: memory is limited by `max` and by the
 * maximum expansion of the input.
 */
export function unsnappy(input: Uint8Array, max: number, fast: FastSnappy | null = null): Uint8Array {
  const head = headOf(input);
  const claimed = claimedLength(input, head);
  if (claimed > Math.min(max, 32 * input.length, MAX_LENGTH)) throw new CorruptInput('Snappy data');
  const quickly = fast?.unpackSnappy(input.subarray(head), claimed);
  if (quickly === null) throw new CorruptInput('Snappy data');
  if (quickly !== undefined) return quickly;
  const output = new Uint8Array(claimed + MARGIN);
  const end = unpack(input, head, output, claimed);
  if (end !== claimed) throw new CorruptInput('Snappy data');
  return output.subarray(0, claimed);
}

/** Returns the end of the output. `| 0` keeps all numbers small integers; otherwise this takes twice the time. */
function unpack(input: Uint8Array, start: number, output: Uint8Array, length: number): number {
  const from = viewOf(input);
  const to = viewOf(output);
  const size = input.length | 0;
  const max = length | 0;
  let at = start | 0;
  let end = 0;
  while (at < size) {
    const tag = input[at++]!;
    let count = (tag >>> 2) + 1;
    if ((tag & 3) === LITERAL) {
      if (count > 60) {
        const wide = count - 60;
        count = small(littleEndian(input, at, wide) + 1);
        at += wide;
      }
      if (count > size - at || count > max - end) throw new CorruptInput('Snappy data');
      copyLiteral(from, at, to, end, count);
      at += count;
    } else {
      let back: number;
      if ((tag & 3) === NEAR) {
        count = ((tag >>> 2) & 7) + 4;
        back = ((tag >>> 5) << 8) | input[at++]!;
      } else if ((tag & 3) === FAR) {
        back = input[at]! | (input[at + 1]! << 8);
        at += 2;
      } else {
        back = small(littleEndian(input, at, 4));
        at += 4;
      }
      if (back === 0 || back > end || at > size || count > max - end) throw new CorruptInput('Snappy data');
      copyBack(to, end, back, count);
    }
    end += count;
  }
  return end;
}

/** What is larger is refused anyway. */
function small(value: number): number {
  return Math.min(value, MAX_LENGTH) | 0;
}

function headOf(input: Uint8Array): number {
  for (let i = 0; i < 5 && i < input.length; i++) if (input[i]! < 0x80) return i + 1;
  throw new CorruptInput('Snappy data');
}

function claimedLength(input: Uint8Array, head: number): number {
  let length = 0;
  for (let i = head - 1; i >= 0; i--) length = length * 128 + (input[i]! & 0x7f);
  return length;
}

function littleEndian(input: Uint8Array, at: number, wide: number): number {
  let value = 0;
  for (let i = wide - 1; i >= 0; i--) value = value * 256 + (input[at + i] ?? 0);
  return value;
}
