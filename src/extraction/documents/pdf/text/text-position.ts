/** The position of the next glyph on the page, and the geometry of rotated text. */
import type { TextState } from './text-state.ts';

export function xOf({ paper, text, rise }: TextState): number {
  return paper[0]! * (text[2]! * rise + text[4]!) + paper[2]! * (text[3]! * rise + text[5]!) + paper[4]!;
}

export function yOf({ paper, text, rise }: TextState): number {
  return paper[1]! * (text[2]! * rise + text[4]!) + paper[3]! * (text[3]! * rise + text[5]!) + paper[5]!;
}

/** In degrees, if it is one of the usual four. */
export function turnOf(shape: readonly number[]): number | null {
  const a = shape[0]!;
  const b = shape[1]!;
  if (a !== 0 && b === 0 && shape[2] === 0) return a > 0 ? 0 : 180;
  if (b !== 0 && a === 0 && shape[3] === 0) return b > 0 ? 90 : 270;
  return null;
}

/** The coordinate of a point along its line. */
export function along(turn: number | null, x: number, y: number, shape: readonly number[]): number {
  if (turn === 0) return x;
  if (turn === null) return (shape[0]! * x + shape[1]! * y) / Math.hypot(shape[0]!, shape[1]!);
  return turn === 90 ? y : turn === 180 ? -x : -y;
}

/** How far up or down from other lines. */
export function across(turn: number | null, x: number, y: number, shape: readonly number[]): number {
  if (turn === 0) return y;
  if (turn === null) return (shape[2]! * x + shape[3]! * y) / Math.hypot(shape[0]!, shape[1]!);
  return turn === 90 ? x : turn === 180 ? -y : -x;
}
