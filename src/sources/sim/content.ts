import { draw, drawBelow } from './random.ts';

/** What a simulated object holds: lines of harmless words with some given values among them, made up piece by piece. */
export interface ContentPlan {
  readonly seed: number;
  /** Bytes of an ordinary object; a hundredth are ten times as large. */
  readonly size: number;
  /** Values to plant, and how many objects in a thousand hold one. */
  readonly values: readonly string[];
  readonly perThousand: number;
}

export interface Planted {
  readonly value: string;
  /** In bytes from the beginning of the object. */
  readonly at: number;
}

const WORDS = 'the net was hauled at dawn and nothing in it had a name of its own while gulls kept watch\n';
/** Content repeats with this period, so any stretch of it is a copy of this text. */
const filler = Buffer.from(WORDS.repeat(64));

const SIZE = 11;
const IS_PLANTED = 12;
const WHICH = 13;
const WHERE = 14;

export function sizeAt(plan: ContentPlan, index: number): number {
  const usual = Math.floor(plan.size / 2) + drawBelow(plan.size + 1, plan.seed, index, SIZE);
  return draw(plan.seed, index, SIZE + 100) % 100 === 0 ? usual * 10 : usual;
}

/** The value in the object, if it holds one. It stands alone, with a space on either side. */
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
