/**
 * Texts for differential tests of the scanner: random ones, excerpts of real files, and hostile mixtures of the detectors' own examples.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from './catalogue.ts';

const ROOT = join(import.meta.dirname, '../..');

export type TextKind = 'random' | 'real' | 'adversarial';
export const TEXT_KINDS: readonly TextKind[] = ['random', 'real', 'adversarial'];

/** Alphabets that produce near misses more often than random bytes. */
const ALPHABETS = [
  '0123456789',
  '0123456789-. ',
  '0123456789abcdef:',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ',
  'abcdefghijklmnopqrstuvwxyz@.-_',
  'abcdeXYZ019 =:"\'\n_-/+',
];
const BETWEEN = ['', ' ', '\n', ',', '"', ': ', '=', '\0', '\xff', 'é', 'x', '7', ' ; ', '\t', '-', '.'];

const examples = catalogue
  .flatMap(({ examples }) => [...examples.match, ...examples.not])
  .map((example) => Buffer.from(typeof example === 'string' ? example : example.text));
const words = catalogue.flatMap(({ context }) => [...(context?.words ?? []), ...(context?.avoid ?? [])]);

/** A seeded random generator. */
interface Chance {
  /** Both ends included. */
  int(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
  text(alphabet: string, length: number): string;
}

export class FuzzTexts {
  readonly #random: Chance;
  readonly #real: readonly Buffer[];

  constructor(random: Chance) {
    this.#random = random;
    this.#real = [...filesIn('examples/data'), ...filesIn('src'), ...filesIn('docs')].map((path) =>
      readFileSync(path),
    );
  }

  /** Approximately of that length. */
  next(kind: TextKind, length: number): Buffer {
    if (kind === 'random') return this.#ofChance(length);
    return kind === 'real' ? this.#ofFiles(length) : this.#ofExamples(length);
  }

  #ofChance(length: number): Buffer {
    const r = this.#random;
    if (r.chance(0.5)) return Buffer.from(r.text(r.pick(ALPHABETS), length), 'latin1');
    return Buffer.from(Uint8Array.from({ length }, () => r.int(0, 255)));
  }

  #ofFiles(length: number): Buffer {
    const file = this.#random.pick(this.#real);
    const from = this.#random.int(0, Math.max(0, file.length - length));
    return this.#wounded(Buffer.from(file.subarray(from, from + length)), 0.0005);
  }

  /** Examples, halves of examples and labels, with or without text between. */
  #ofExamples(length: number): Buffer {
    const r = this.#random;
    const pieces: Buffer[] = [];
    for (let size = 0; size < length; size += pieces.at(-1)!.length) {
      const example = r.pick(examples);
      const cut = r.chance(0.3) ? r.int(0, example.length) : 0;
      const label = r.chance(0.2) && words.length > 0 ? `${r.pick(words)}${r.pick(BETWEEN)}` : '';
      const between = Buffer.from(r.pick(BETWEEN), 'latin1');
      pieces.push(Buffer.concat([Buffer.from(label), example.subarray(cut), between]));
    }
    return this.#wounded(Buffer.concat(pieces), 0.002);
  }

  /** Mutates some bytes. */
  #wounded(bytes: Buffer, share: number): Buffer {
    const r = this.#random;
    const wounds = r.int(0, Math.round(bytes.length * share * 2));
    for (let n = 0; n < wounds; n++) bytes[r.int(0, bytes.length - 1)] = r.int(0, 255);
    return bytes;
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
