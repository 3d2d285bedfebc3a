import { SeineError } from '../../base/errors.ts';

/** A position in an object: a byte offset from 0, or a line and a column in bytes, both from 1. */
export type SourcePosition = { readonly offset: number } | { readonly line: number; readonly column: number };

export function parsePosition(text: string): SourcePosition {
  const [, line, column] = /^(\d{1,15}):(\d{1,15})$/.exec(text.trim()) ?? [];
  if (Number(line) > 0 && Number(column) > 0) return { line: Number(line), column: Number(column) };
  if (/^\d{1,15}$/.test(text.trim())) return { offset: Number(text) };
  throw new SeineError('usage', `--at ${text} is not a position.`, {
    hint: 'Write the byte, counted from 0 (--at 1204), or line and column, counted from 1 (--at 12:5).',
  });
}

export function formatPosition(position: SourcePosition): string {
  return 'offset' in position
    ? `byte ${position.offset}`
    : `line ${position.line}, column ${position.column}`;
}
