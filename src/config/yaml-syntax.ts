/** What is wrong with a file that is not YAML, in our words: the parser's own may quote the file, and so a secret. */
import type { Document, ErrorCode } from 'yaml';
import { variableReference } from './interpolate.ts';
import type { Position, Problem } from './problem.ts';

/** One problem a line: what follows the first in a line follows from it. */
export function syntaxProblems(
  document: Document,
  source: string,
  positionOf: (offset: number) => Position,
): Problem[] {
  const problems = new Map<number, Problem>();
  for (const { code, pos } of [...document.errors, ...document.warnings]) {
    const at = positionOf(pos[0]);
    if (problems.has(at.line)) continue;
    const [message, hint] = describeSyntaxError(code, source.slice(pos[0] - 1, pos[0] + 1));
    problems.set(at.line, { level: 'error', setting: '', origin: { kind: 'file', at }, message, hint });
  }
  return [...problems.values()].sort((a, b) => lineOf(a) - lineOf(b));
}

function lineOf({ origin }: Problem): number {
  return origin.kind === 'file' ? origin.at.line : 0;
}

type Explanation = readonly [message: string, hint: string];

const EXPLANATIONS: Partial<Record<ErrorCode, Explanation>> = {
  BAD_ALIAS: ['a * without a name', 'put quotes around a value that begins with *'],
  BAD_DQ_ESCAPE: ['an unknown escape in double quotes', 'in single quotes a backslash is a backslash'],
  BAD_INDENT: ['the indentation does not fit, or a bracket is not closed', 'see also the lines before'],
  BAD_SCALAR_START: ['a value begins with a character that YAML keeps for itself', 'put quotes around it'],
  BLOCK_AS_IMPLICIT_KEY: [
    'a second key: begins within a value',
    'see the indentation of the next line, or put quotes around the value',
  ],
  DUPLICATE_KEY: ['this key is there twice', 'keep one of them'],
  MISSING_CHAR: ['something is not closed, or a : is missing', 'see also the lines before'],
  MULTILINE_IMPLICIT_KEY: ['a key goes over two lines', 'see the indentation, and whether a : is missing'],
  MULTIPLE_DOCS: ['a second document begins', 'one file holds one configuration: remove the ---'],
  TAB_AS_INDENT: ['a tab', 'YAML is indented with spaces'],
  TAG_RESOLVE_FAILED: ['an unknown ! tag', 'put quotes around a value that begins with !'],
};

function describeSyntaxError(code: ErrorCode, around: string): Explanation {
  if (around === '${')
    return ['a variable within { } or [ ]', `put quotes around it: "${variableReference('NAME')}"`];
  return EXPLANATIONS[code] ?? ['this is not valid YAML', 'see also the lines before'];
}
