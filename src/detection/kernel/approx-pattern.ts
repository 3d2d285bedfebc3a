/** An over-approximation of a pattern for the kernel: byte sets rounded up to classes, truncated to what a lane can look ahead. */
import type { Node } from '../pattern/parse.ts';
import type { PrefixSets } from '../pattern/prefix-sets.ts';
import { ALNUM, classesOf, DIGIT } from './byte-classes.ts';

export type ApproxPattern =
  | { readonly kind: 'class'; readonly classes: number }
  | { readonly kind: 'sequence'; readonly items: readonly ApproxPattern[] }
  | { readonly kind: 'choice'; readonly options: readonly ApproxPattern[] }
  | { readonly kind: 'repeat'; readonly item: ApproxPattern; readonly min: number; readonly max: number }
  /** Any continuation; the pattern was truncated here. */
  | { readonly kind: 'rest' };

/** Long runs of letters and digits share one start filter, whatever they begin with. */
export const LONG_RUN = 13;

const REST: ApproxPattern = { kind: 'rest' };
const NOTHING: ApproxPattern = { kind: 'sequence', items: [] };

/** `room`: maximum number of bytes; `maxRuns`: maximum number of runs of equal classes. */
export function approximate(root: Node, room: number, maxRuns: number): ApproxPattern {
  const all = flat(truncate(rounded(root), room).node);
  return all.kind === 'sequence' ? { kind: 'sequence', items: limitRuns(all.items, maxRuns) } : all;
}

/** Whether the pattern begins with at least `length` letters and digits, not all of them digits. */
export function isRun({ sets, startBorder }: PrefixSets, length: number): boolean {
  const classes = sets.slice(0, length).map(classesOf);
  const all = classes.reduce((union, one) => union | one, 0);
  return startBorder && classes.length === length && (all & ~ALNUM) === 0 && all !== DIGIT;
}

export function runOf(classes: number, length: number): ApproxPattern {
  return sequenceOf(Array(length).fill(classes));
}

export function sequenceOf(classes: readonly number[]): ApproxPattern {
  return { kind: 'sequence', items: classes.map((one) => ({ kind: 'class', classes: one })) };
}

function limitRuns(items: readonly ApproxPattern[], max: number): ApproxPattern[] {
  let runs = 0;
  for (const [n, item] of items.entries()) {
    const before = items[n - 1];
    const continuesRun = item.kind === 'class' && before?.kind === 'class' && before.classes === item.classes;
    if (!continuesRun && ++runs > max) return [...items.slice(0, n), REST];
  }
  return [...items];
}

function rounded(node: Node): ApproxPattern {
  switch (node.kind) {
    case 'byte':
      return { kind: 'class', classes: classesOf(node.set) };
    case 'border':
      return NOTHING; // checked by the DFA
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(rounded) };
    case 'choice':
      return { kind: 'choice', options: node.options.map(rounded) };
    case 'repeat':
      return { kind: 'repeat', item: rounded(node.item), min: node.min, max: node.max };
  }
}

interface TruncatedPattern {
  readonly node: ApproxPattern;
  /** Bytes left for what follows, after the longest alternative. */
  readonly room: number;
  /** The pattern was truncated; nothing may be appended. */
  readonly ended: boolean;
}

function truncate(node: ApproxPattern, room: number): TruncatedPattern {
  switch (node.kind) {
    case 'rest':
      return { node, room, ended: true };
    case 'class':
      return room === 0 ? { node: REST, room, ended: true } : { node, room: room - 1, ended: false };
    case 'sequence':
      return truncateSequence(node.items, room);
    case 'choice':
      return truncateChoice(node.options, room);
    case 'repeat':
      return truncateRepeat(node, room);
  }
}

function truncateSequence(items: readonly ApproxPattern[], room: number): TruncatedPattern {
  const kept: ApproxPattern[] = [];
  let left = room;
  for (const item of items) {
    const { node, room: rest, ended } = truncate(item, left);
    kept.push(node);
    left = rest;
    if (ended) return { node: { kind: 'sequence', items: kept }, room: 0, ended };
  }
  return { node: { kind: 'sequence', items: kept }, room: left, ended: false };
}

function truncateChoice(options: readonly ApproxPattern[], room: number): TruncatedPattern {
  const cuts = options.map((option) => truncate(option, room));
  const ended = cuts.some((one) => one.ended);
  // All alternatives share one continuation: if one is truncated, all must end here, or the result would be stricter than the pattern.
  const all = ended ? cuts.map(({ node }) => withRest(node)) : cuts.map(({ node }) => node);
  return {
    node: { kind: 'choice', options: all },
    room: Math.min(...cuts.map((one) => one.room)),
    ended,
  };
}

function truncateRepeat(node: Extract<ApproxPattern, { kind: 'repeat' }>, room: number): TruncatedPattern {
  const items: ApproxPattern[] = [];
  let left = room;
  for (let n = 0; n < node.min; n++) {
    const one = truncate(node.item, left);
    items.push(one.node);
    left = one.room;
    if (one.ended) return { node: { kind: 'sequence', items }, room: 0, ended: true };
  }
  if (node.max === node.min) return { node: { kind: 'sequence', items }, room: left, ended: false };
  const length = lengthOf(node.item);
  const more = node.max - node.min;
  if (more * length > left)
    return { node: { kind: 'sequence', items: [...items, REST] }, room: 0, ended: true };
  items.push({ kind: 'repeat', item: node.item, min: 0, max: more });
  return { node: { kind: 'sequence', items }, room: left - more * length, ended: false };
}

function withRest(node: ApproxPattern): ApproxPattern {
  return { kind: 'sequence', items: [node, REST] };
}

function lengthOf(node: ApproxPattern): number {
  switch (node.kind) {
    case 'class':
      return 1;
    case 'rest':
      return 0;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + lengthOf(item), 0);
    case 'choice':
      return Math.max(...node.options.map(lengthOf));
    case 'repeat':
      return lengthOf(node.item) * node.max;
  }
}

/** Flattens nested sequences, so that runs of equal classes are adjacent. */
function flat(node: ApproxPattern): ApproxPattern {
  switch (node.kind) {
    case 'sequence': {
      const items = node.items.flatMap((item) => {
        const one = flat(item);
        return one.kind === 'sequence' ? one.items : [one];
      });
      return items.length === 1 ? items[0]! : { kind: 'sequence', items };
    }
    case 'choice': {
      const options = distinct(node.options.map(flat));
      if (options.length === 1) return options[0]!;
      const classes = options.map((option) => (option.kind === 'class' ? option.classes : 0));
      return classes.includes(0)
        ? { kind: 'choice', options }
        : { kind: 'class', classes: classes.reduce((all, one) => all | one, 0) };
    }
    case 'repeat':
      return { ...node, item: flat(node.item) };
    default:
      return node;
  }
}

function distinct(options: readonly ApproxPattern[]): ApproxPattern[] {
  return [...new Map(options.map((option) => [JSON.stringify(option), option])).values()];
}
