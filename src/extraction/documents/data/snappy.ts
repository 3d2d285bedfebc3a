import { Damage } from '../../obstacle.ts';

/** Longer stretches are copied by the engine; for shorter ones the call would cost more than the copy. */
const LONG = 48;
const LITERAL = 0;
const NEAR = 1;
const FAR = 2;

/**
 * One block of Snappy, without framing. Its length stands at its beginning, where anything may be claimed: memory is
 * taken for no more than `most`, nor for more than so many bytes could possibly give.
 */
export function unsnappy(input: Uint8Array, most: number): Uint8Array {
  const [length, start] = claimedLength(input);
  if (length > most || length > 32 * input.length) throw new Damage('Snappy data');
  const output = new Uint8Array(length);
  const size = input.length;
  let at = start;
  let end = 0;
  while (at < size) {
    const tag = input[at++]!;
    let count = (tag >>> 2) + 1;
    if ((tag & 3) === LITERAL) {
      if (count > 60) {
        const wide = count - 60;
        count = littleEndian(input, at, wide) + 1;
        at += wide;
      }
      if (count > size - at || count > length - end) throw new Damage('Snappy data');
      copyLiteral(input, at, output, end, count);
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
        back = littleEndian(input, at, 4);
        at += 4;
      }
      if (back === 0 || back > end || at > size || count > length - end) throw new Damage('Snappy data');
      copyBack(output, end, back, count);
    }
    end += count;
  }
  if (end !== length) throw new Damage('Snappy data');
  return output;
}

function claimedLength(input: Uint8Array): [length: number, start: number] {
  let length = 0;
  for (let i = 0; i < 5 && i < input.length; i++) {
    length += (input[i]! & 0x7f) * 2 ** (7 * i);
    if (input[i]! < 0x80) return [length, i + 1];
  }
  throw new Damage('Snappy data');
}

function littleEndian(input: Uint8Array, at: number, wide: number): number {
  let value = 0;
  for (let i = wide - 1; i >= 0; i--) value = value * 256 + (input[at + i] ?? 0);
  return value;
}

export function copyLiteral(
  input: Uint8Array,
  at: number,
  output: Uint8Array,
  end: number,
  count: number,
): void {
  if (count > LONG) output.set(input.subarray(at, at + count), end);
  else for (let i = 0; i < count; i++) output[end + i] = input[at + i]!;
}

/** What stood `back` bytes before is repeated; if that is less than `count`, it repeats itself. */
export function copyBack(output: Uint8Array, end: number, back: number, count: number): void {
  const from = end - back;
  if (count > 4 * LONG && back >= count) output.copyWithin(end, from, from + count);
  else for (let i = 0; i < count; i++) output[end + i] = output[from + i]!;
}
