/**
 * Expands the beginning of a pattern to a few sequences of byte sets, one of which every match begins with. They may be looser than the
 * pattern and end earlier, never stricter.
 */
import type { ByteSet, Node, Pattern } from './parse.ts';

export interface PrefixSets {
  readonly sets: readonly ByteSet[];
  /** A word boundary at the start, and at the end. */
  readonly startBorder: boolean;
  readonly endBorder: boolean;
}

/** Limits: bytes per sequence, and sequences per pattern. */
export const MAX_SETS = 14;
const MAX_SHAPES = 12;

interface Growing extends PrefixSets {
  /** More of the pattern may be appended. */
  readonly open: boolean;
}

export function prefixSetsOf({ root }: Pattern): PrefixSets[] {
  const empty: Growing = { sets: [], startBorder: false, endBorder: false, open: true };
  const grown = grow(root, [empty]);
  return grown.map(({ sets, startBorder, endBorder }) => ({ sets, startBorder, endBorder }));
}

function grow(node: Node, shapes: readonly Growing[]): readonly Growing[] {
  if (!shapes.some(({ open }) => open)) return shapes;
  switch (node.kind) {
    case 'byte':
      return shapes.map((shape) => withByte(shape, node.set));
    case 'border':
      return shapes.map(withBorder);
    case 'sequence':
      return node.items.reduce((all, item) => grow(item, all), shapes);
    case 'choice':
      return fewEnough(
        shapes,
        node.options.flatMap((option) => grow(option, shapes.filter(isOpen))),
      );
    case 'repeat':
      return repeated(node, shapes);
  }
}

/** The minimum count; then each further count is a sequence of its own, up to the length limit. */
function repeated(node: Extract<Node, { kind: 'repeat' }>, shapes: readonly Growing[]): readonly Growing[] {
  let grown = shapes;
  for (let n = 0; n < node.min && grown.some(isOpen); n++) grown = grow(node.item, grown);
  if (node.max === node.min || !grown.some(isOpen)) return grown;
  if (node.max - node.min > MAX_SHAPES) return grown.map(closed);
  const counts: (readonly Growing[])[] = [grown.filter(isOpen)];
  for (let n = node.min; n < node.max; n++) counts.push(grow(node.item, counts.at(-1)!.filter(isOpen)));
  return fewEnough(grown, counts.flat());
}

/** Stops expanding when there are too many sequences, and keeps those before the step. */
function fewEnough(before: readonly Growing[], after: readonly Growing[]): readonly Growing[] {
  const ended = before.filter((shape) => !shape.open);
  return ended.length + after.length > MAX_SHAPES ? before.map(closed) : [...ended, ...after];
}

function withByte(shape: Growing, set: ByteSet): Growing {
  if (!shape.open) return shape;
  if (shape.endBorder) return closed(shape);
  const sets = [...shape.sets, set];
  return { ...shape, sets, open: sets.length < MAX_SETS };
}

function withBorder(shape: Growing): Growing {
  if (!shape.open) return shape;
  return shape.sets.length === 0 ? { ...shape, startBorder: true } : { ...shape, endBorder: true };
}

function closed(shape: Growing): Growing {
  return { ...shape, open: false };
}

function isOpen(shape: Growing): boolean {
  return shape.open;
}
