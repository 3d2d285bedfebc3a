/** The common prefix of all matches: one sequence of byte sets, looser than the pattern, whatever its structure. */
import { compileNfa, END, epsilonClosure } from './nfa.ts';
import type { ByteSet, Pattern } from './parse.ts';
import { MAX_SETS } from './prefix-sets.ts';

/** By position: the bytes that may occur there. As long as the shortest match, at most MAX_SETS. */
export function commonPrefix(pattern: Pattern): ByteSet[] {
  const nfa = compileNfa(pattern);
  const prefix: ByteSet[] = [];
  let active = epsilonClosure(nfa, [nfa.start], true);
  while (!active.has(END) && prefix.length < MAX_SETS) {
    const set = new Uint8Array(256);
    const next: number[] = [];
    for (const at of active) {
      const state = nfa.states[at]!;
      if (state.kind !== 'byte') continue;
      next.push(state.next);
      for (let byte = 0; byte < 256; byte++) set[byte]! |= state.set[byte]!;
    }
    prefix.push(set);
    active = epsilonClosure(nfa, next, true);
  }
  return prefix;
}

/** Formats a common prefix as a pattern. Bytes beyond ASCII cannot be written individually, so a class contains all of them or none. */
export function patternOf(prefix: readonly ByteSet[]): string {
  return prefix.map(classOf).join('');
}

function classOf(set: ByteSet): string {
  const ascii = Array.from({ length: 127 }, (_, n) => n + 1).filter((byte) => byte !== NEWLINE);
  const beyond = set.subarray(128).includes(1);
  const written = ascii.filter((byte) => (set[byte] === 1) !== beyond).map(escaped);
  const line = set[NEWLINE] === 1;
  if (!beyond && written.length === 0) return '\\n';
  // A negated class never matches a line end.
  const inLine = `[${beyond ? '^' : ''}${written.join('')}]`;
  return line ? `(?:${inLine}|\\n)` : inLine;
}

const NEWLINE = 0x0a;

function escaped(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[\\\]\-^]/.test(character) ? `\\${character}` : character;
}
