/**
 * A great many tiny files, written by a few threads. Their contents come from a stock of 997 short texts, one of which
 * holds a value: one file in a thousand has a finding.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { Random } from '../../examples/generator/random.ts';
import type { Tree } from './tree.ts';
import { WORDS } from './words.ts';

interface Share {
  readonly folder: string;
  readonly files: number;
  readonly inFolder: number;
  readonly seed: number;
  /** This thread makes every folder whose number leaves this rest. */
  readonly rest: number;
}

const THREADS = 2;
const STOCK = 997;

/** `inFolder` files in each folder. */
export async function makeTinyFiles(
  folder: string,
  files: number,
  inFolder: number,
  seed: number,
): Promise<Tree> {
  mkdirSync(folder, { recursive: true });
  await Promise.all(
    Array.from({ length: THREADS }, (_, rest) => writing({ folder, files, inFolder, seed, rest })),
  );
  const stock = texts(seed);
  let bytes = 0;
  for (let n = 0; n < files; n++) bytes += stock[n % STOCK]!.length;
  return { folder, files, bytes, planted: Math.ceil(files / STOCK) };
}

function writing(share: Share): Promise<void> {
  return new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url), { workerData: share })
      .on('error', reject)
      .on('exit', () => resolve());
  });
}

function write({ folder, files, inFolder, seed, rest }: Share): void {
  const stock = texts(seed);
  for (let first = 0, number = 0; first < files; first += inFolder, number++) {
    if (number % THREADS !== rest) continue;
    const place = join(folder, `folder-${String(number).padStart(4, '0')}`);
    mkdirSync(place);
    for (let n = first; n < Math.min(files, first + inFolder); n++) {
      const file = openSync(join(place, `note-${String(n).padStart(7, '0')}.txt`), 'w');
      writeSync(file, stock[n % STOCK]!);
      closeSync(file);
    }
  }
}

function texts(seed: number): Buffer[] {
  const random = new Random(seed, 'tiny files');
  return Array.from({ length: STOCK }, (_, n) => {
    const size = random.int(60, 200);
    let text = n === 0 ? 'contact: jane.roe@example.org ' : `note ${n}: `;
    while (text.length < size) text += `${random.pick(WORDS)} `;
    return Buffer.from(`${text.trimEnd()}\n`);
  });
}

if (!isMainThread) write(workerData as Share);
