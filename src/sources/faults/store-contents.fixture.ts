import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { isObjectError, type Source, type SourceObject } from '../source.ts';
import { bytesOf, itemsOf } from '../source-test-helpers.ts';
import { PREFIX } from './protocol.fixture.ts';

/** The store's content, by name. */
export type StoreContents = ReadonlyMap<string, Buffer>;

/** Of every object: an ETag, or a generation. */
export const TAG = '17';
/** The object affected by faults of a single object. */
export const VICTIM = 'data/victim.bin';

/** Text without repeated lines. */
function contentOf(size: number, object: number): Buffer {
  const lines = Array.from({ length: Math.ceil(size / 10) }, (_, i) => `line ${i} of ${object}\n`);
  return Buffer.from(lines.join('')).subarray(0, size);
}

/** Names in which the orders and encodings of the protocols differ, and names just outside the prefix. */
export function makeStoreContents(): StoreContents {
  const small = Array.from(
    { length: 9 },
    (_, i) => [`data/n/${String(i).padStart(3, '0')}.txt`, 100 + i] as const,
  );
  const sizes: [string, number][] = [
    ...small.map(([name, size]): [string, number] => [name, size]),
    ['data/a b+c%41&d.txt', 12],
    ['data/big.bin', 300_000],
    ['data/empty', 0],
    ['data/one', 1],
    [VICTIM, 70_000],
    ['data/übung/ß.txt', 33],
    ['data/\u{1f600}.txt', 20],
    ['data/\uff21.txt', 21],
    ['data/~', 5],
    ['datb', 9],
    ['dat', 9],
    ['zzz/outside', 9],
  ];
  return new Map(sizes.map(([name, size], i) => [name, contentOf(size, i)]));
}

/** The outcome of listing and reading everything. */
export interface ReadOutcome {
  /** In the order of the listing. */
  readonly keys: readonly string[];
  readonly read: readonly string[];
  /** By key: the error kind, or why it is marked unreadable. */
  readonly notRead: Readonly<Record<string, string>>;
  /** The error that ends the scan: of the listing, or of any read that concerns the credential. */
  readonly stopped: string | null;
  /** Wrong bytes, and errors that are not a SeineError. Must be empty. */
  readonly wrong: readonly string[];
}

/** Objects of this size are also read in part. */
export const IN_PARTS = 1000;
/** Low enough that five concurrent tests don't exceed the connection limit. */
const CONCURRENT = 12;

/** Reads every object of the source completely, and the second half of the larger ones. */
export async function readEverything(source: Source, truth: StoreContents): Promise<ReadOutcome> {
  const keys: string[] = [];
  const read: string[] = [];
  const wrong: string[] = [];
  const notRead: Record<string, string> = {};
  let stopped: string | null = null;
  const objects: SourceObject[] = [];
  try {
    for (const item of await itemsOf(source)) {
      keys.push(item.key);
      if (isObjectError(item)) notRead[item.key] = item.error.kind;
      else if (item.unreadable !== undefined) notRead[item.key] = item.unreadable;
      else objects.push(item);
    }
  } catch (error) {
    if (!(error instanceof SeineError)) wrong.push(String(error));
    stopped = error instanceof SeineError ? error.kind : 'no SeineError';
  }

  async function readOne(object: SourceObject): Promise<void> {
    const content = expectedBytes(truth, object);
    try {
      const whole = await bytesOf(source, object);
      const middle = object.size >> 1;
      const part =
        object.size < IN_PARTS ? null : await bytesOf(source, object, { from: middle, to: object.size });
      const isRight = content.equals(whole) && (part === null || content.subarray(middle).equals(part));
      (isRight ? read : wrong).push(object.key);
    } catch (error) {
      if (error instanceof AuthenticationError) stopped = error.kind;
      else if (error instanceof SeineError) notRead[object.key] = error.kind;
      else wrong.push(`${object.key}: ${error}`);
    }
  }

  const next = objects.values();
  const worker = async () => {
    for (const object of next) await readOne(object);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  return { keys, read, notRead, stopped, wrong };
}

function expectedBytes(truth: StoreContents, { key }: SourceObject): Buffer {
  for (const [name, content] of truth) if (keyOf(name) === key) return content;
  return Buffer.from(`there is no object ${key}`);
}

/** The keys that the source must list, in byte order. */
export function expectedKeys(truth: StoreContents): string[] {
  return [...truth.keys()]
    .filter((name) => name.startsWith(PREFIX))
    .map(keyOf)
    .sort();
}
