/** Bracket expressions of globs: `[abc]`, `[!a-z]`, `[[:digit:]]`. */

/** Whether a character (a code point, or a byte where patterns are about bytes) is in the class. */
export type CharClass = (code: number) => boolean;

type Interval = readonly [from: number, to: number];

const POSIX: Readonly<Record<string, readonly Interval[]>> = {
  alnum: [[0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]], // biome-ignore format: one class a line
  alpha: [[0x41, 0x5a], [0x61, 0x7a]], // biome-ignore format: one class a line
  blank: [[0x20, 0x20], [0x09, 0x09]], // biome-ignore format: one class a line
  cntrl: [[0x00, 0x1f], [0x7f, 0x7f]], // biome-ignore format: one class a line
  digit: [[0x30, 0x39]],
  graph: [[0x21, 0x7e]],
  lower: [[0x61, 0x7a]],
  print: [[0x20, 0x7e]],
  punct: [[0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e]], // biome-ignore format: one class a line
  space: [[0x09, 0x0d], [0x20, 0x20]], // biome-ignore format: one class a line
  upper: [[0x41, 0x5a]],
  xdigit: [[0x30, 0x39], [0x41, 0x46], [0x61, 0x66]], // biome-ignore format: one class a line
};

/**
 * Parses the expression that opens at `start`; returns it and the offset after it. Null: it is never
 * closed, or names an unknown class.
 */
export function parseBracket(pattern: string, start: number): { matches: CharClass; end: number } | null {
  let at = start + 1;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at++;
  const intervals: Interval[] = [];
  let previous: number | null = null;
  for (let first = true; ; first = false) {
    if (at >= pattern.length) return null;
    if (pattern[at] === ']' && !first) break;
    if (pattern.startsWith('[:', at)) {
      const close = pattern.indexOf(':]', at + 2);
      // As in git: without an end it is an ordinary bracket, with an unknown name the pattern matches nothing.
      if (close !== -1 && /^[^\][]*$/.test(pattern.slice(at + 2, close))) {
        const named = POSIX[pattern.slice(at + 2, close)];
        if (named === undefined) return null;
        intervals.push(...named);
        previous = null;
        at = close + 2;
        continue;
      }
    }
    const isRange: boolean =
      pattern[at] === '-' && previous !== null && at + 1 < pattern.length && pattern[at + 1] !== ']';
    if (isRange) at++;
    if (pattern[at] === '\\') at++;
    const code = pattern.codePointAt(at);
    if (code === undefined) return null;
    intervals.push([isRange ? previous! : code, code]);
    previous = isRange ? null : code;
    at += code > 0xffff ? 2 : 1;
  }
  const matches = (code: number) => intervals.some(([from, to]) => from <= code && code <= to) !== negated;
  return { matches, end: at + 1 };
}
