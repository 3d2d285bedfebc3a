/** Problems of a file that is not YAML. The parser's own messages are not used: they may quote the file, and so a secret. */
import type { Document, ErrorCode } from 'yaml';
import type { Position, Problem } from '../problem.ts';
import { variableReference } from '../values/interpolate.ts';

/** One problem for each line: further ones on a line are usually consequences of the first. */
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
  BAD_ALIAS: ['a * without a name', 'put quotes around a value that starts with *'],
  BAD_DQ_ESCAPE: ['an unknown escape in double quotes', 'in single quotes a backslash is literal'],
  BAD_INDENT: ['wrong indentation, or an unclosed bracket', 'check also the lines before'],
  BAD_SCALAR_START: ['a value starts with a character reserved by YAML', 'put quotes around it'],
  BLOCK_AS_IMPLICIT_KEY: [
    'a second key: starts within a value',
    'check the indentation of the next line, or put quotes around the value',
  ],
  DUPLICATE_KEY: ['duplicate key', 'keep one of them'],
  MISSING_CHAR: ['an unclosed quote or bracket, or a missing :', 'check also the lines before'],
  MULTILINE_IMPLICIT_KEY: ['a key spans two lines', 'check the indentation and for a missing :'],
  MULTIPLE_DOCS: ['a second document starts', 'a file holds one configuration: remove the ---'],
  TAB_AS_INDENT: ['a tab used for indentation', 'indent with spaces'],
  TAG_RESOLVE_FAILED: ['an unknown ! tag', 'put quotes around a value that starts with !'],
};

function describeSyntaxError(code: ErrorCode, around: string): Explanation {
  if (around === '${')
    return ['a variable within { } or [ ]', `put quotes around it: "${variableReference('NAME')}"`];
  return EXPLANATIONS[code] ?? ['not valid YAML', 'check also the lines before'];
}
