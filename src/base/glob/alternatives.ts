/** Expands `{a,b}`, `@(a|b)` and `?(a)` of a glob: one pattern for each combination, up to a limit. */

/** Maximum total length of the expanded patterns. */
const MAX_CHARACTERS = 1 << 14;

const CLOSING = { '{': '}', '(': ')' } as const;
const SEPARATOR = { '{': ',', '(': '|' } as const;

export class TooManyAlternatives extends Error {}

/** Throws `TooManyAlternatives` above the limit, so that memory is bounded. */
export function expandAlternatives(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  let characters = pattern.length;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next);
    if (group === null) {
      done.push(next);
      continue;
    }
    const { before, choices, after } = group;
    characters += choices.reduce((sum, choice) => sum + before.length + choice.length + after.length, 0);
    if (characters > MAX_CHARACTERS) throw new TooManyAlternatives();
    // Reversed, because the stack is last in, first out.
    for (const choice of choices.toReversed()) open.push(before + choice + after);
  }
  return done;
}

interface Group {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

function firstGroup(pattern: string): Group | null {
  for (let at = 0; at < pattern.length; at = skip(pattern, at)) {
    const opening = pattern[at];
    if (opening !== '{' && opening !== '(') continue;
    const choices = parseChoices(pattern, at, opening);
    if (choices === null) continue;
    const sign = opening === '(' ? pattern[at - 1] : undefined;
    const isSigned = sign === '@' || sign === '?';
    // A parenthesis without alternatives is part of a name: `report (1).csv`.
    if (choices.parts.length === 1 && !isSigned) continue;
    return {
      before: pattern.slice(0, isSigned ? at - 1 : at),
      choices: sign === '?' ? ['', ...choices.parts] : choices.parts,
      after: pattern.slice(choices.end),
    };
  }
  return null;
}

/** Returns null if it is not closed. */
function parseChoices(
  pattern: string,
  start: number,
  opening: '{' | '(',
): { parts: string[]; end: number } | null {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at = skip(pattern, at)) {
    const char = pattern[at];
    if (char === opening) depth++;
    else if (char === SEPARATOR[opening] && depth === 1) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    } else if (char === CLOSING[opening] && --depth === 0) {
      parts.push(pattern.slice(from, at));
      return { parts, end: at + 1 };
    }
  }
  return null;
}

/** The offset after a character, an escaped one, or a bracket expression, in which braces are literal. */
function skip(pattern: string, at: number): number {
  if (pattern[at] === '\\') return at + 2;
  if (pattern[at] !== '[') return at + 1;
  const close = pattern.indexOf(']', at + 2);
  return close === -1 ? at + 1 : close + 1;
}
