/** Mutates valid files at random; the same seed gives the same mutations. */
import type { SeededRandom } from './seeded-random.fixture.ts';

type Mutation = (bytes: Buffer, random: SeededRandom) => Buffer;

/** One to four changes, anywhere. */
export function mutated(good: Uint8Array, random: SeededRandom): Buffer {
  let bytes: Buffer = Buffer.from(good);
  for (let left = 1 + random.below(4); left > 0; left--) {
    if (bytes.length > 0) bytes = random.of(MUTATIONS)(bytes, random);
  }
  return bytes;
}

/** One of the parts of a file, all others as they are. */
export function mutatedOne<T>(parts: readonly T[], random: SeededRandom, change: (part: T) => T): T[] {
  const chosen = random.below(parts.length);
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
const MAX_REPEATED = 64 * 1024;

const flipBits: Mutation = (bytes, random) => {
  for (let left = 1 + random.below(8); left > 0; left--) {
    const at = random.below(bytes.length);
    bytes[at] = bytes[at]! ^ (1 << random.below(8));
  }
  return bytes;
};

const overwriteRun: Mutation = (bytes, random) => {
  const [from, to] = randomRange(bytes, random, 64);
  const byte = random.of([0, 0xff, 0x7f, 0x80, 0x20, null]);
  return bytes.fill(byte === null ? random.bytes(16) : byte, from, to);
};

/** Overwrites numbers, which are lengths, counts and offsets in most formats, with extreme values. */
const overwriteLength: Mutation = (bytes, random) => {
  const number = lengthOf(random);
  bytes.set(number.subarray(0, bytes.length), random.below(Math.max(1, bytes.length - number.length + 1)));
  return bytes;
};

const insertLength: Mutation = (bytes, random) => inserted(bytes, random, lengthOf(random));

const insertChance: Mutation = (bytes, random) => inserted(bytes, random, random.bytes(1 + random.below(32)));

const swapBlocks: Mutation = (bytes, random) => {
  const size = Math.min(random.of([4, 16, 64, 512]), bytes.length >> 1);
  const [one, other] = [random.below(bytes.length - size + 1), random.below(bytes.length - size + 1)];
  const kept = Buffer.from(bytes.subarray(one, one + size));
  bytes.copyWithin(one, other, other + size);
  bytes.set(kept, other);
  return bytes;
};

const duplicate: Mutation = (bytes, random) => {
  const [from, to] = randomRange(bytes, random, 512);
  return inserted(bytes, random, bytes.subarray(from, to));
};

const repeat: Mutation = (bytes, random) => {
  const [from, to] = randomRange(bytes, random, 64);
  const times = Math.min(random.of([10, 100, 1000]), Math.floor(MAX_REPEATED / (to - from)));
  const run = Buffer.concat(Array.from({ length: times }, () => bytes.subarray(from, to)));
  return Buffer.concat([bytes.subarray(0, to), run, bytes.subarray(to)]);
};

const remove: Mutation = (bytes, random) => {
  const [from, to] = randomRange(bytes, random, 256);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
};

const truncate: Mutation = (bytes, random) => bytes.subarray(0, random.below(bytes.length));

/** In texts of XML, PDF and the like the numbers are digits. */
const overwriteDigits: Mutation = (bytes, random) => {
  const from = random.below(bytes.length);
  const at = bytes.subarray(from).findIndex((byte) => byte >= 0x30 && byte <= 0x39);
  if (at < 0) return bytes;
  const number = Buffer.from(random.of(['-1', '0', '99999999999', '2147483648', '1e308', 'NaN']));
  return Buffer.concat([bytes.subarray(0, from + at), number, bytes.subarray(from + at + 1)]);
};

const MUTATIONS: readonly Mutation[] = [
  ...[flipBits, overwriteRun, overwriteLength, insertLength, insertChance, swapBlocks],
  ...[duplicate, repeat, remove, truncate, overwriteDigits],
];

function lengthOf(random: SeededRandom): Buffer {
  const number = Buffer.from(random.of(LENGTHS), 'hex');
  return random.below(2) === 0 ? number : number.reverse();
}

function inserted(bytes: Buffer, random: SeededRandom, more: Uint8Array): Buffer {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

/** At least a byte. */
function randomRange(bytes: Buffer, random: SeededRandom, longest: number): [from: number, to: number] {
  const from = random.below(bytes.length);
  return [from, Math.min(bytes.length, from + 1 + random.below(longest))];
}
