/** Spoils good files: by chance, but the same way for the same seed. */
import type { Chance } from './chance.fixture.ts';

type Mutation = (bytes: Buffer, chance: Chance) => Buffer;

/** One to four changes, anywhere. */
export function mutated(good: Uint8Array, chance: Chance): Buffer {
  let bytes: Buffer = Buffer.from(good);
  for (let left = 1 + chance.below(4); left > 0; left--) {
    if (bytes.length > 0) bytes = chance.of(MUTATIONS)(bytes, chance);
  }
  return bytes;
}

/** One of the parts of a file, all others as they are. */
export function mutatedOne<T>(parts: readonly T[], chance: Chance, change: (part: T) => T): T[] {
  const chosen = chance.below(parts.length);
  return parts.map((part, i) => (i === chosen ? change(part) : part));
}

const LENGTHS = [
  'ffffffff',
  '7fffffff',
  '80000000',
  '00000000',
  '00000001',
  'ffff',
  '00ff',
  'ffffffffffffffff',
];
/** Longer runs find nothing that shorter ones don't, and cost time. */
const MOST_REPEATED = 64 * 1024;

const flipBits: Mutation = (bytes, chance) => {
  for (let left = 1 + chance.below(8); left > 0; left--) {
    const at = chance.below(bytes.length);
    bytes[at] = bytes[at]! ^ (1 << chance.below(8));
  }
  return bytes;
};

const overwriteRun: Mutation = (bytes, chance) => {
  const [from, to] = stretch(bytes, chance, 64);
  const byte = chance.of([0, 0xff, 0x7f, 0x80, 0x20, null]);
  return bytes.fill(byte === null ? chance.bytes(16) : byte, from, to);
};

/** Numbers that are lengths, counts and offsets in most formats, made extreme where they stand. */
const overwriteLength: Mutation = (bytes, chance) => {
  const number = lengthOf(chance);
  bytes.set(number.subarray(0, bytes.length), chance.below(Math.max(1, bytes.length - number.length + 1)));
  return bytes;
};

const insertLength: Mutation = (bytes, chance) => inserted(bytes, chance, lengthOf(chance));

const insertChance: Mutation = (bytes, chance) => inserted(bytes, chance, chance.bytes(1 + chance.below(32)));

const swapBlocks: Mutation = (bytes, chance) => {
  const size = Math.min(chance.of([4, 16, 64, 512]), bytes.length >> 1);
  const [one, other] = [chance.below(bytes.length - size + 1), chance.below(bytes.length - size + 1)];
  const kept = Buffer.from(bytes.subarray(one, one + size));
  bytes.copyWithin(one, other, other + size);
  bytes.set(kept, other);
  return bytes;
};

const duplicate: Mutation = (bytes, chance) => {
  const [from, to] = stretch(bytes, chance, 512);
  return inserted(bytes, chance, bytes.subarray(from, to));
};

const repeat: Mutation = (bytes, chance) => {
  const [from, to] = stretch(bytes, chance, 64);
  const times = Math.min(chance.of([10, 100, 1000]), Math.floor(MOST_REPEATED / (to - from)));
  const run = Buffer.concat(Array.from({ length: times }, () => bytes.subarray(from, to)));
  return Buffer.concat([bytes.subarray(0, to), run, bytes.subarray(to)]);
};

const remove: Mutation = (bytes, chance) => {
  const [from, to] = stretch(bytes, chance, 256);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
};

const truncate: Mutation = (bytes, chance) => bytes.subarray(0, chance.below(bytes.length));

/** In texts of XML, PDF and the like the numbers are digits. */
const overwriteDigits: Mutation = (bytes, chance) => {
  const from = chance.below(bytes.length);
  const at = bytes.subarray(from).findIndex((byte) => byte >= 0x30 && byte <= 0x39);
  if (at < 0) return bytes;
  const number = Buffer.from(chance.of(['-1', '0', '99999999999', '2147483648', '1e308', 'NaN']));
  return Buffer.concat([bytes.subarray(0, from + at), number, bytes.subarray(from + at + 1)]);
};

const MUTATIONS: readonly Mutation[] = [
  ...[flipBits, overwriteRun, overwriteLength, insertLength, insertChance, swapBlocks],
  ...[duplicate, repeat, remove, truncate, overwriteDigits],
];

function lengthOf(chance: Chance): Buffer {
  const number = Buffer.from(chance.of(LENGTHS), 'hex');
  return chance.below(2) === 0 ? number : number.reverse();
}

function inserted(bytes: Buffer, chance: Chance, more: Uint8Array): Buffer {
  const at = chance.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

/** At least a byte. */
function stretch(bytes: Buffer, chance: Chance, longest: number): [from: number, to: number] {
  const from = chance.below(bytes.length);
  return [from, Math.min(bytes.length, from + 1 + chance.below(longest))];
}
