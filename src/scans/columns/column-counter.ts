/** Counts the matches per column while an object is read. */
import type { SpanBatch } from '../../detection/spans.ts';
import type { TextPart } from '../../extraction/extraction.ts';
import { type Names, PLAIN_NAMES } from '../names/name-masker.ts';
import { type ColumnTallies, qualifiedColumnName } from './column-tally.ts';
import { lastKey } from './count-keys.ts';
import { hasColumns, isSampled, ValueSampler, WHOLE_TEXT } from './value-sampler.ts';

const MAX_COLUMNS = 1000;
/** Maximum distance from a match at which the ends of its value are searched. */
const MAX_CELL_DISTANCE = 256;
const SPACE = 0x20;
const JSON_BORDERS: ReadonlySet<number> = new Set(Buffer.from('",:{}[]\n\0'));

interface MatchCounts {
  cells: number;
  count: number;
  sum: number;
  readonly alone: Map<number, number>;
  line: number; // of the last match: two matches in one cell count once
}

interface Column {
  values: number;
  readonly matches: Map<string, MatchCounts>;
}

export class ColumnCounter {
  readonly #sampler = new ValueSampler();
  #columns = new Map<string, Column>();
  #part: TextPart | null = null;
  #window = WHOLE_TEXT;
  #borders = JSON_BORDERS;
  readonly #names: Pick<Names, 'name'>;

  constructor(names: Pick<Names, 'name'> = PLAIN_NAMES) {
    this.#names = names;
  }

  reset(): void {
    if (this.#columns.size > 0) this.#columns = new Map();
  }

  begin(part: TextPart, window = WHOLE_TEXT): void {
    this.#part = hasColumns(part) ? part : null;
    this.#window = window;
    this.#sampler.begin(this.#part, window);
    if (this.#part !== null) this.#borders = bordersOf(part);
  }

  push(bytes: Uint8Array): void {
    if (this.#part !== null) this.#sampler.push(bytes);
  }

  /** All of the text has been matched. In a window, also counts values matched only by other detectors. */
  end(): void {
    if (this.#part === null) return;
    this.#sampler.end(this.#window !== WHOLE_TEXT || this.#columns.size > 0);
    for (const [own, values] of this.#sampler.values) {
      const name = this.#nameIn(this.#part, own);
      const column = this.#columns.get(name) ?? (this.#window === WHOLE_TEXT ? null : this.#add(name));
      if (column) column.values += values;
    }
    this.#part = null;
  }

  /** Returns the column's name if the match covers its whole value. */
  countMatch(spans: SpanBatch, i: number, detector: string, level: number): string | null {
    const field = spans.field[i] ?? null;
    const part = this.#part;
    if (part === null || field === null || field === '') return null;
    const length = spans.length[i]!;
    const others = surroundingBytes(spans.window, spans.at[i]!, length, this.#borders);
    // A match in a long text says nothing about the column.
    if (others > length) return null;
    const name = this.#nameIn(part, part.columns ? field : lastKey(field));
    const counts = this.#matchesFor(name, detector);
    if (counts === null) return null;
    counts.count++;
    counts.sum += level;
    const isSameCell = part.format !== 'json' && counts.line === spans.line[i];
    if (!isSameCell && isSampled(spans.start[i]!)) counts.cells++;
    counts.line = spans.line[i]!;
    if (others > 0) return null;
    counts.alone.set(level, (counts.alone.get(level) ?? 0) + 1);
    return name;
  }

  get tallies(): ColumnTallies | undefined {
    if (this.#columns.size === 0) return undefined;
    return mapped(this.#columns, ({ values, matches }) => ({
      values,
      claims: mapped(matches, ({ cells, count, sum, alone }) => ({
        cells,
        count,
        sum,
        alone: Object.fromEntries(alone),
      })),
    }));
  }

  #nameIn(part: TextPart, column: string): string {
    return qualifiedColumnName(
      part.name === null ? null : this.#names.name(part.name),
      this.#names.name(column),
    );
  }

  #matchesFor(name: string, detector: string): MatchCounts | null {
    const column = this.#columns.get(name) ?? this.#add(name);
    if (column === null) return null;
    const counts = column.matches.get(detector) ?? { cells: 0, count: 0, sum: 0, alone: new Map(), line: 0 };
    if (counts.count === 0) column.matches.set(detector, counts);
    return counts;
  }

  #add(name: string): Column | null {
    if (this.#columns.size === MAX_COLUMNS) return null;
    const column = { values: 0, matches: new Map() };
    this.#columns.set(name, column);
    return column;
  }
}

function bordersOf({ delimiter }: TextPart): ReadonlySet<number> {
  return delimiter === undefined ? JSON_BORDERS : new Set([delimiter, ...Buffer.from('"\n\r\0')]);
}

/** Visible bytes of the same cell before and after the match, counted up to the match's own length. */
function surroundingBytes(
  window: Uint8Array,
  at: number,
  length: number,
  borders: ReadonlySet<number>,
): number {
  const max = Math.min(length, MAX_CELL_DISTANCE);
  let others = 0;
  for (const step of [-1, 1]) {
    let i = step < 0 ? at - 1 : at + length;
    for (let n = 0; n <= max && i >= 0 && i < window.length && !borders.has(window[i]!); n++, i += step)
      if (window[i]! > SPACE) others++;
  }
  return others;
}

function mapped<A, B>(from: ReadonlyMap<string, A>, to: (value: A) => B): Record<string, B> {
  return Object.fromEntries([...from].map(([name, value]) => [name, to(value)]));
}
