/** How well spans were found: each true span may be matched by one found span of its type that overlaps it enough. */

export interface Labelled {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export interface Score {
  found: number; // of the true ones
  missed: number;
  invented: number;
}

/** Intersection over union from which two spans are the same. */
const SAME = 0.5;

export type Scores = Map<string, Score>;

export function addScores(scores: Scores, truth: readonly Labelled[], found: readonly Labelled[]): void {
  const open = new Set(truth);
  for (const span of found) {
    const score = scoreOf(scores, span.type);
    const match = bestOf(span, open);
    if (match === null) score.invented++;
    else {
      open.delete(match);
      score.found++;
    }
  }
  for (const span of open) scoreOf(scores, span.type).missed++;
}

function bestOf(span: Labelled, open: ReadonlySet<Labelled>): Labelled | null {
  let best: Labelled | null = null;
  let max = SAME;
  for (const candidate of open) {
    if (candidate.type !== span.type) continue;
    const overlap = overlapOf(candidate, span);
    if (overlap < max || (best !== null && overlap === max)) continue;
    best = candidate;
    max = overlap;
  }
  return best;
}

function overlapOf(a: Labelled, b: Labelled): number {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared <= 0 ? 0 : shared / (Math.max(a.end, b.end) - Math.min(a.start, b.start));
}

export function scoreOf(scores: Scores, type: string): Score {
  const known = scores.get(type) ?? { found: 0, missed: 0, invented: 0 };
  scores.set(type, known);
  return known;
}

export function total(scores: Scores, types: readonly string[]): Score {
  const sum = { found: 0, missed: 0, invented: 0 };
  for (const type of types) {
    const score = scores.get(type);
    sum.found += score?.found ?? 0;
    sum.missed += score?.missed ?? 0;
    sum.invented += score?.invented ?? 0;
  }
  return sum;
}

export function precision({ found, invented }: Score): number {
  return found === 0 ? 0 : found / (found + invented);
}

export function recall({ found, missed }: Score): number {
  return found === 0 ? 0 : found / (found + missed);
}

export function f1({ found, missed, invented }: Score): number {
  return found === 0 ? 0 : (2 * found) / (2 * found + missed + invented);
}

/** A row of a table: what, precision, recall, F1, and the counts they come from. */
export function scoreRow(what: string, score: Score): string[] {
  const { found, missed, invented } = score;
  return [
    what,
    shown(precision(score)),
    shown(recall(score)),
    shown(f1(score)),
    ...[found, missed, invented].map(String),
  ];
}

export const SCORE_HEADS: readonly string[] = ['precision', 'recall', 'F1', 'found', 'missed', 'invented'];

export function shown(ratio: number): string {
  return ratio.toFixed(3);
}
