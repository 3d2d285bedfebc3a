/** Text files of this machine in one file: text that was not written for a benchmark. */
import { closeSync, openSync, readdirSync, readFileSync, realpathSync, statSync, writeSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Random } from '../../examples/generator/random.ts';
import { count } from '../figures.ts';
import { ROOT } from '../seine.ts';

export interface RealText {
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
  /** Extensions with the number of files and megabytes of each, most first. */
  readonly kinds: string;
}

const PLACES = ['/usr/share', '/usr/lib', '/usr/include', '/usr/src', '/etc', join(ROOT, 'node_modules')];
/** Used while the engine was developed. Files of other types are held out: the engine was not tuned to them. */
const LOOKED_AT = 'js ts py c h md json html xml'.split(' ');
const HELD_OUT =
  'rst po pot sh css yml yaml svg rs cpp hpp cc mjs mts cjs map log txt pl pm rb go java lua tcl el vim awk conf service ini toml sql csv tsv tex bib cmake m4 mk dtd xsl glade ui desktop properties ps afm php scss less vue jsx tsx sed pod 1 3 5 7 8'.split(
    ' ',
  );
const MAX_FILE = 4e6;
/** No kind is more than so much of the whole. */
const MAX_KIND = 0.25;

interface Candidate {
  readonly path: string;
  readonly kind: string;
}

/** All text files of the machine, in an order of chance. */
export function listRealText(seed: number): Candidate[] {
  const found: Candidate[] = [];
  for (const place of PLACES) walk(place, found);
  const random = new Random(seed, 'real text');
  const ordered = found.sort((a, b) => (a.path < b.path ? -1 : 1)).map((one) => ({ one, by: random.next() }));
  return ordered.sort((a, b) => a.by - b.by).map(({ one }) => one);
}

export function makeRealText(
  path: string,
  all: readonly Candidate[],
  part: 'looked at' | 'held out',
  max: number,
): RealText {
  const wanted = new Set(part === 'held out' ? HELD_OUT : LOOKED_AT);
  const out = openSync(path, 'w');
  const kinds = new Map<string, { files: number; bytes: number }>();
  let bytes = 0;
  for (const { path: file, kind } of all) {
    if (bytes >= max) break;
    const had = kinds.get(kind) ?? { files: 0, bytes: 0 };
    if (!wanted.has(kind) || had.bytes > MAX_KIND * max) continue;
    const text = readText(file);
    if (text === null) continue;
    const written = writeSync(out, text) + writeSync(out, '\n');
    bytes += written;
    kinds.set(kind, { files: had.files + 1, bytes: had.bytes + written });
  }
  closeSync(out);
  const files = [...kinds.values()].reduce((sum, kind) => sum + kind.files, 0);
  return { path, bytes, files, kinds: shownKinds(kinds) };
}

function shownKinds(kinds: ReadonlyMap<string, { files: number; bytes: number }>): string {
  return [...kinds]
    .sort(([, a], [, b]) => b.bytes - a.bytes)
    .map(([kind, { files, bytes }]) => `${kind} ${count(files)} (${(bytes / 1e6).toFixed(1)} MB)`)
    .join(', ');
}

function walk(folder: string, found: Candidate[]): void {
  let entries: ReturnType<typeof list>;
  try {
    entries = list(realpathSync(folder));
  } catch {
    return; // not there, or not for us
  }
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const kind = extname(entry.name).slice(1).toLowerCase();
    if (entry.isDirectory()) walk(path, found);
    else if (entry.isFile() && (LOOKED_AT.includes(kind) || HELD_OUT.includes(kind)))
      found.push({ path, kind });
  }
}

function list(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

/** Null: too large, or no text after all. */
function readText(path: string): Buffer | null {
  try {
    const { size } = statSync(path);
    if (size === 0 || size > MAX_FILE) return null;
    const bytes = readFileSync(path);
    return bytes.subarray(0, 8192).includes(0) ? null : bytes;
  } catch {
    return null;
  }
}
