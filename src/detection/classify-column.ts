import { catalogue } from './catalogue.ts';
import { type ColumnClassification, classifyMatches } from './columns.ts';
import type { Detector } from './detector.ts';
import { createScanner } from './scanner.ts';
import type { Scanner, SpanBatch } from './spans.ts';

/** Low on purpose: heuristic matches count too, because the whole column is classified, not one value. */
const MIN_CONFIDENCE = 0.3;
/** All values of the column are available here, so a few suffice. */
const MIN_VALUES = 1;
/** No byte of a text: all of a line is one value. */
const NEVER = 0x00;

/** Classifies a column by its name and values. Returns null if no detector matches. */
export function classifyColumn(
  name: string,
  values: readonly string[],
  detectors: readonly Detector[] = catalogue,
): ColumnClassification | null {
  const cells = values.map((value) => value.replace(/[\r\n]+/g, ' ').trim()).filter((value) => value !== '');
  const counter = new ColumnMatchCounter(detectors, cells);
  const scanner = scannerOf(detectors);
  // The first line is the column name.
  const text = Buffer.from(`\n${cells.join('\n')}\n`);
  const table = { delimiter: NEVER, quoted: false, names: [name], head: text };
  const context = { fieldAt: () => name, fieldScope: 'columns', columns: [name], table } as const;
  scanner.begin(context, (spans) => counter.take(spans));
  scanner.push(text);
  scanner.end();
  return classifyMatches(name, cells.length, counter.all, MIN_VALUES);
}

const scanners = new WeakMap<readonly Detector[], Scanner>();

function scannerOf(detectors: readonly Detector[]): Scanner {
  const scanner = scanners.get(detectors) ?? createScanner(detectors, { minConfidence: MIN_CONFIDENCE });
  scanners.set(detectors, scanner);
  return scanner;
}

class ColumnMatchCounter {
  readonly #detectors: readonly Detector[];
  readonly #lengths: readonly number[];
  /** By detector: the lines whose values it matched, with the confidence of each. */
  readonly #lines = new Map<number, Map<number, number>>();

  constructor(detectors: readonly Detector[], cells: readonly string[]) {
    this.#detectors = detectors;
    this.#lengths = cells.map((cell) => Buffer.byteLength(cell));
  }

  get all() {
    return [...this.#lines].map(([detector, lines]) => ({
      detector: this.#detectors[detector]!,
      cells: lines.size,
      confidence: [...lines.values()].reduce((sum, confidence) => sum + confidence, 0) / lines.size,
    }));
  }

  /** A match that covers less than half of a value is ignored. */
  take(spans: SpanBatch): void {
    for (let n = 0; n < spans.count; n++) {
      const line = spans.line[n]!;
      const length = this.#lengths[line - 2] ?? 0;
      if ((spans.end[n]! - spans.start[n]!) * 2 < length) continue;
      const lines = this.#lines.get(spans.detector[n]!) ?? new Map<number, number>();
      this.#lines.set(spans.detector[n]!, lines.set(line, spans.confidence[n]!));
    }
  }
}
