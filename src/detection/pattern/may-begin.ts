import { parsePattern } from './parse.ts';
import { shapesOf } from './shapes.ts';

const LOOKED_AT = 8;

/** Whether one of the patterns may begin at a place, by its first bytes: before anything is made a text. */
export function mayBegin(patterns: readonly string[]): (bytes: Buffer, at: number) => boolean {
  const beginnings = patterns
    .flatMap((pattern) => shapesOf(parsePattern(pattern)))
    .map(({ sets }) => sets.slice(0, LOOKED_AT));
  return (bytes, at) => {
    for (let n = 0; n < beginnings.length; n++) {
      const sets = beginnings[n]!;
      let i = 0;
      while (i < sets.length && sets[i]![bytes[at + i]!] === 1) i++;
      if (i === sets.length) return true;
    }
    return false;
  };
}
