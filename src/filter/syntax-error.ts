import { SeineError } from '../base/errors.ts';

/** A span of the filter's text, `[start, end)`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

const MAX_LINE_CHARS = 100;

/**
 * A usage error that shows the line of the filter with carets below the span:
 *
 *     there is no field 'sise' (column 17)
 *       tier = HIGH and sise > 3
 *                       ^^^^
 */
export function syntaxErrorAt(text: string, span: TextSpan, message: string, hint: string): SeineError {
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  const nextBreak = text.indexOf('\n', span.start);
  const lineEnd = nextBreak < 0 ? text.length : nextBreak;
  // A long line is truncated around the span; control characters would move the caret, or control the
  // terminal.
  const from = Math.max(lineStart, span.start - MAX_LINE_CHARS / 2);
  const shown = (start: number, end: number) => text.slice(start, end).replace(/\p{Cc}/gu, ' ');
  const line = shown(from, Math.min(lineEnd, from + MAX_LINE_CHARS));
  const indent = widthOf(shown(from, span.start));
  const carets = Math.max(1, widthOf(shown(span.start, Math.min(span.end, lineEnd, from + MAX_LINE_CHARS))));
  const where = lineStart > 0 ? `line ${text.slice(0, lineStart).split('\n').length}, column` : 'column';
  const column = widthOf(text.slice(lineStart, span.start)) + 1;
  const picture = `  ${line}\n  ${' '.repeat(indent)}${'^'.repeat(carets)}`;
  return new SeineError('usage', `${message} (${where} ${column})\n${picture}`, { hint });
}

/** The approximate display width: the number of code points. */
function widthOf(text: string): number {
  return [...text].length;
}
