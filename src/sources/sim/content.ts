import { draw, drawBelow } from './random.ts';

/** Generates the content of a simulated object: lines of harmless words with planted values, computed per byte range. */
export interface ContentPlan {
  readonly seed: number;
  /** The size of an ordinary object; one percent are ten times as large. */
  readonly size: number;
  /** The values to plant, and how many objects per thousand contain one. */
  readonly values: readonly string[];
  readonly perThousand: number;
}

export interface Planted {
  readonly value: string;
  /** In bytes from the beginning of the object. */
  readonly at: number;
}

const WORDS = 'the net was hauled at dawn and nothing in it had a name of its own while gulls kept watch\n';
/** The content repeats with this period, so any byte range is a copy of part of this text. */
const filler = Buffer.from(WORDS.repeat(64));

const SIZE = 11;
const IS_PLANTED = 12;
const WHICH = 13;
const WHERE = 14;

export function sizeAt(plan: ContentPlan, index: number): number {
  const usual = Math.floor(plan.size / 2) + drawBelow(plan.size + 1, plan.seed, index, SIZE);
  return draw(plan.seed, index, SIZE + 100) % 100 === 0 ? usual * 10 : usual;
}

/** The value planted in the object, if any, with a space on either side. */
export function plantedAt(plan: ContentPlan, index: number): Planted | null {
  const { seed, values } = plan;
  if (values.length === 0 || drawBelow(1000, seed, index, IS_PLANTED) >= plan.perThousand) return null;
  const value = values[drawBelow(values.length, seed, index, WHICH)]!;
  const room = sizeAt(plan, index) - Buffer.byteLength(value) - 2;
  return room < 0 ? null : { value, at: 1 + drawBelow(room + 1, seed, index, WHERE) };
}

/** Bytes `from` to `to` (exclusive) of the object. */
export function contentOf(plan: ContentPlan, index: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  for (let at = 0; at < bytes.length; ) {
    at += filler.copy(bytes, at, (from + at) % filler.length);
  }
  const planted = plantedAt(plan, index);
  if (planted !== null) overlay(bytes, Buffer.from(` ${planted.value} `), planted.at - 1 - from);
  return bytes;
}

function overlay(bytes: Buffer, text: Buffer, at: number): void {
  if (at >= bytes.length || at + text.length <= 0) return;
  text.copy(bytes, Math.max(0, at), Math.max(0, -at));
}
