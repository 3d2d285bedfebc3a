/** Trees of text files, the same for the same seed. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../examples/generator/random.ts';
import { KINDS, type Kind } from './lines.ts';
import { plantedSentence } from './planted.ts';

export interface Tree {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  /** Values planted in it. */
  readonly planted: number;
}

export interface TreePlan {
  readonly files: number;
  /** Bytes of a file, from … to; evenly distributed. */
  readonly sizes: readonly [number, number];
  readonly seed: number;
  /** How many of the lines hold a value. */
  readonly plantedRate: number;
}

const FOLDER_FILES = 100;
const CHUNK_BYTES = 1 << 20;

export function makeTree(folder: string, plan: TreePlan): Tree {
  const random = new Random(plan.seed, 'tree');
  const writer = new Lines(random, plan.plantedRate);
  let bytes = 0;
  for (let n = 0; n < plan.files; n++) {
    const place = join(
      folder,
      `share-${Math.floor(n / FOLDER_FILES ** 2)
        .toString()
        .padStart(2, '0')}`,
      `team-${String(Math.floor(n / FOLDER_FILES) % FOLDER_FILES).padStart(2, '0')}`,
    );
    if (n % FOLDER_FILES === 0) mkdirSync(place, { recursive: true });
    const kind = KINDS[n % KINDS.length]!;
    const path = join(place, `file-${String(n).padStart(6, '0')}.${kind.extension}`);
    bytes += writer.file(path, [kind], random.int(...plan.sizes));
  }
  return { folder, files: plan.files, bytes, planted: writer.planted };
}

/** One file of everything that a log can hold. */
export function makeLargeFile(folder: string, size: number, seed: number, plantedRate: number): Tree {
  const writer = new Lines(new Random(seed, 'large file'), plantedRate);
  mkdirSync(folder, { recursive: true });
  const kinds = KINDS.filter((kind) => kind.extension !== 'csv');
  const bytes = writer.file(join(folder, 'everything.log'), kinds, size);
  return { folder, files: 1, bytes, planted: writer.planted };
}

class Lines {
  planted = 0;
  readonly #random: Random;
  readonly #rate: number;

  constructor(random: Random, rate: number) {
    this.#random = random;
    this.#rate = rate;
  }

  /** Whole lines up to about that size; several kinds take turns, a piece each. */
  file(path: string, kinds: readonly Kind[], size: number): number {
    let bytes = 0;
    if (size <= CHUNK_BYTES) {
      const text = kinds[0]!.head + this.#piece(kinds[0]!, size);
      writeFileSync(path, text);
      return text.length;
    }
    const file = openSync(path, 'w');
    bytes += writeSync(file, kinds.length === 1 ? kinds[0]!.head : '');
    for (let turn = 0; bytes < size; turn++) {
      bytes += writeSync(file, this.#piece(kinds[turn % kinds.length]!, Math.min(CHUNK_BYTES, size - bytes)));
    }
    closeSync(file);
    return bytes;
  }

  #piece(kind: Kind, size: number): string {
    let text = '';
    while (text.length < size) {
      const plants = this.#random.chance(this.#rate);
      if (plants) this.planted++;
      text += `${plants ? kind.holding(plantedSentence(this.#random), this.#random) : kind.line(this.#random)}\n`;
    }
    return text;
  }
}
