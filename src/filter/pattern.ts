/**
 * Patterns come from users and run over every path of a scan, in a backtracking engine. Patterns with
 * potentially exponential time are rejected (ReDoS): back references, repetitions or alternatives inside a
 * repetition, and long sequences of choices (`a?a?a?…`, `.*.*.*…`), each of which multiplies the number of
 * paths. The check is simple and also rejects some harmless patterns, such as `(a+b)+`; nearly all can be
 * rewritten.
 */
const MAX_PATTERN = 500;
/** An unbounded repetition counts two, an optional item or a group with alternatives one. */
const MAX_CHOICES = 10;

export type PatternProblem = { readonly at: number; readonly message: string; readonly hint: string };

/**
 * Compiles a pattern; a leading `(?i)` ignores case. A problem is returned, with its offset in the pattern.
 */
export function compilePattern(pattern: string): RegExp | PatternProblem {
  if (pattern.length > MAX_PATTERN) {
    return { at: MAX_PATTERN, message: 'the pattern is too long', hint: `${MAX_PATTERN} characters at most` };
  }
  const anyCase = pattern.startsWith('(?i)');
  const skipped = anyCase ? 4 : 0;
  const source = pattern.slice(skipped);
  try {
    // `u` makes the grammar strict, so that the engine agrees with our parser about braces and escapes.
    const compiled = new RegExp(source, anyCase ? 'iu' : 'u');
    const problem = findBacktracking(source);
    return problem ? { ...problem, at: problem.at + skipped } : compiled;
  } catch (error) {
    const said = error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 2) : '';
    return {
      at: 0,
      message: `this is not a pattern: ${said}`,
      hint: 'put \\ before . ( [ { * + ? to mean the sign',
    };
  }
}

/** An escape, a class, a quantifier, or one character. */
const ITEM = /\\(?:k<[^>]*>|[1-9]|.)|\[(?:\\.|[^\]\\])*\]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gsu;

interface Group {
  /** It can match texts of several lengths or forms. */
  varies: boolean;
  alternatives: boolean;
}

/**
 * Scans a valid pattern once, with the stack of open groups and the last closed one, which may be repeated.
 */
function findBacktracking(source: string): PatternProblem | null {
  const open: Group[] = [newGroup()];
  let choices = 0;
  let closed = newGroup();
  for (const { 0: item, index: at } of source.matchAll(ITEM)) {
    const group = open.at(-1)!;
    let justClosed = newGroup();
    if (/^\\(?:k<|[1-9])/.test(item)) return { at, ...BACK_REFERENCE };
    if (item === '(') open.push(newGroup());
    if (item === ')') {
      justClosed = group;
      open.pop();
      // What varies inside a group also varies in the enclosing one, repeated or not.
      open.at(-1)!.varies ||= group.varies;
    }
    if (item === '|') {
      choices += group.alternatives ? 0 : 1;
      open[open.length - 1] = { varies: true, alternatives: true };
    }
    if (isQuantifier(source, at, item) && !isExact(item)) {
      choices += item.startsWith('?') ? 1 : 2;
      group.varies = true;
    }
    if (closed.varies && isQuantifier(source, at, item) && repeats(item)) return { at, ...NESTED_REPETITION };
    if (choices > MAX_CHOICES) return { at, ...TOO_MANY_CHOICES };
    closed = justClosed;
  }
  return null;
}

function newGroup(): Group {
  return { varies: false, alternatives: false };
}

const BACK_REFERENCE = {
  message: 'a pattern cannot refer back to a group',
  hint: 'write out what it should match',
};
const NESTED_REPETITION = {
  message: 'a repeated group cannot hold a repetition or alternatives: it could take for ever',
  hint: 'repeat a single class, such as [a-z/]+, or join several comparisons with or',
};

const TOO_MANY_CHOICES = {
  message: 'the pattern has too many repetitions and choices: it could take for ever',
  hint: 'join several comparisons with and, or',
};

/** The `?` of `(?:`, `(?=`, `(?<name>` is no quantifier. */
function isQuantifier(source: string, at: number, item: string): boolean {
  return (
    /^[*+?{]/.test(item) && !(item.startsWith('?') && source[at - 1] === '(' && !isEscaped(source, at - 1))
  );
}

function isEscaped(source: string, at: number): boolean {
  let slashes = 0;
  while (source[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

function repeats(quantifier: string): boolean {
  return !/^(?:\?|\{[01](?:,1)?\})/.test(quantifier);
}

function isExact(quantifier: string): boolean {
  return /^\{\d+\}/.test(quantifier);
}
