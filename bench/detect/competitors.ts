/** Other tools that can search for the same 29 types. Each returns seconds for a number of bytes, and what it found. */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../benchmark.ts';
import { run } from '../command.ts';

export interface Measured {
  readonly seconds: number;
  readonly bytes: number;
  readonly found: number;
}

export interface Competitor {
  readonly name: string;
  measure(path: string, bytes: number): Promise<Measured>;
}

/** The matches go to /dev/null: it need not even write them. Its start, some milliseconds, is counted. */
export function ripgrep(bench: Bench, patterns: string): Competitor | null {
  const program = bench.ripgrep?.path;
  if (program === undefined) return null;
  const words = [program, '-o', '-b', '-a', '-j1', '--no-unicode', '--no-config', '--no-filename'];
  const counted = new Map<string, number>();
  const ask = async (path: string, into: string, more: readonly string[] = []) => {
    const ran = await run([...words, ...more, '-f', patterns, path], { into });
    // 1: nothing found; 2 is an error, such as a pattern it does not take.
    if (ran.code !== 0 && ran.code !== 1) throw new Error(ran.stderr);
    return ran;
  };
  return {
    name: 'rg -o -b -a -j1 --no-unicode',
    async measure(path, bytes) {
      const { seconds } = await ask(path, '/dev/null');
      if (!counted.has(path)) counted.set(path, await countLines(join(bench.folder, 'rg.txt'), path, ask));
      return { seconds, bytes, found: counted.get(path)! };
    },
  };
}

async function countLines(
  into: string,
  path: string,
  ask: (path: string, into: string) => Promise<unknown>,
): Promise<number> {
  await ask(path, into);
  let lines = 0;
  eachPiece(into, Number.POSITIVE_INFINITY, (piece) => {
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
  });
  return lines;
}

export function hyperscan(program: string, patterns: string, mode: 'end' | 'start'): Competitor {
  return {
    name: mode === 'end' ? 'Hyperscan, ends only' : 'Hyperscan, starts and ends',
    async measure(path) {
      const { code, stdout, stderr } = await run([program, patterns, path, mode]);
      if (code !== 0) throw new Error(stderr);
      const [seconds, found, , , bytes] = stdout.trim().split(' ').map(Number);
      return { seconds: seconds!, bytes: bytes!, found: found! };
    },
  };
}

const STRING_BYTES = 1 << 20;

/** One expression after another over strings of 1 MB, of the first `slice` bytes; reading and decoding are not counted. */
export function regExps(name: string, patterns: readonly string[], slice: number): Competitor {
  const expressions = patterns.map((pattern) => new RegExp(pattern, 'g'));
  return {
    name: `${name} (first ${(slice / 1e6).toFixed(1)} MB)`,
    async measure(path) {
      let [seconds, bytes, found] = [0, 0, 0];
      eachPiece(path, slice, (piece) => {
        const text = piece.toString('latin1');
        const began = performance.now();
        for (const expression of expressions) found += countMatches(expression, text);
        seconds += (performance.now() - began) / 1000;
        bytes += piece.length;
      });
      return { seconds, bytes, found };
    },
  };
}

function countMatches(expression: RegExp, text: string): number {
  let found = 0;
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    found++;
    if (match[0] === '') expression.lastIndex++;
  }
  return found;
}

function eachPiece(path: string, max: number, take: (piece: Buffer) => void): void {
  const file = openSync(path, 'r');
  const piece = Buffer.alloc(STRING_BYTES);
  for (let at = 0; at < max; at += STRING_BYTES) {
    const read = readSync(file, piece, 0, Math.min(STRING_BYTES, max - at), at);
    if (read === 0) break;
    take(piece.subarray(0, read));
  }
  closeSync(file);
}
