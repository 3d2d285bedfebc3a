/** Trees of small files with values sprinkled in, the same for the same seed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILES_PER_FOLDER = 500;
const WORDS = 'the otter tide rope boot rain shelf crate mast ferry knot paddle harbour gull'.split(' ');

/** Text files of about one kilobyte in folders of 500; every seventh holds a mail address, every eleventh an SSN. */
export function makeTree(folder: string, files: number, seed = 1): void {
  const random = randomFrom(seed);
  for (let n = 0; n < files; n++) {
    const name = `${String(Math.floor(n / FILES_PER_FOLDER)).padStart(3, '0')}/${String(n).padStart(6, '0')}.txt`;
    put(folder, name, textOf(n, random));
  }
}

/** Writes a file and the folders above it; says where. */
export function put(folder: string, name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  const above = dirname(path);
  if (!made.has(above)) mkdirSync(above, { recursive: true });
  made.add(above);
  writeFileSync(path, content);
  return path;
}

/** Asking for the same folder again and again would cost more than the files. */
const made = new Set<string>();

function textOf(n: number, random: () => number): string {
  const lines = Array.from({ length: 12 }, () =>
    Array.from({ length: 14 }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' '),
  );
  if (n % 7 === 0) lines[3] += ` mail person${n}@example.org`;
  if (n % 11 === 0) lines[5] += ` SSN: ${ssnOf(n)}`;
  return `${lines.join('\n')}\n`;
}

/** Of an area that could be issued; which group and serial do not matter. */
export function ssnOf(n: number): string {
  const group = 10 + (Math.floor(n / 9000) % 90);
  return `219-${group}-${1000 + (n % 9000)}`;
}

/** A sequence of numbers in [0, 1) that depends on the seed alone. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
