/**
 * Passes the text of one object from extraction to detection, and keeps the findings: masked,
 * fingerprinted, counted. Values below their detector's threshold are only counted. Raw values exist only
 * in the current bytes and are gone when `text` returns.
 */
import type { Key } from '../../base/key.ts';
import type { Detector } from '../../detection/detector.ts';
import { maskValue } from '../../detection/masking.ts';
import { EXAMPLE, REASON, reasonsOf } from '../../detection/reasons.ts';
import type { Scanner, SpanBatch } from '../../detection/spans.ts';
import { cellPath } from '../../extraction/embedded-path.ts';
import type { TextPart, TextSink } from '../../extraction/extraction.ts';
import type { ColumnClassifier, ObjectFindings } from '../columns/column-classifier.ts';
import { ColumnCounter } from '../columns/column-counter.ts';
import type { TextWindow } from '../columns/value-sampler.ts';
import { type Names, PLAIN_NAMES } from '../names/name-masker.ts';
import { confidencePercent, type Mark } from '../results/confidence-histogram.ts';
import { FindingLimit } from '../results/finding-limit.ts';
import type { Fingerprint } from '../results/fingerprint.ts';
import type { Features, FoundValue, Inspection } from '../results/inspection.ts';
import { Suppressor } from '../suppressions/suppressor.ts';
import { HistogramBuilder } from './histogram-builder.ts';
import { ReportedFields } from './reported-fields.ts';

export interface TypeTally {
  count: number;
  confidence: number;
  authorship?: number;
  example?: number;
}

export class FindingCollector implements TextSink {
  readonly #scanner: Scanner;
  readonly #detectors: readonly Detector[];
  readonly #fingerprint: Fingerprint;
  readonly #maxFindingsPerType: number;
  readonly #suppressor: Suppressor;
  readonly #fields: ReportedFields;
  readonly #names: Names;
  readonly #histogram: HistogramBuilder;
  readonly #take = (spans: SpanBatch): void => this.#collect(spans);
  /** Counts the columns of tables. */
  readonly columns: ColumnCounter;
  #classified: Pick<ObjectFindings, 'confidenceHistogram' | 'overlapCounts' | 'columns'> = {};
  #hasValues = false;
  #part: TextPart | null = null;
  #limit: FindingLimit;
  findings: FoundValue[] = [];
  tallies = new Map<string, TypeTally>();

  constructor(
    scanner: Scanner,
    detectors: readonly Detector[],
    fingerprint: Fingerprint,
    maxFindingsPerType: number,
    suppressor = new Suppressor(),
    fields = new ReportedFields(),
    names: Names = PLAIN_NAMES,
  ) {
    this.#scanner = scanner;
    this.#detectors = detectors;
    this.#fingerprint = fingerprint;
    this.#maxFindingsPerType = maxFindingsPerType;
    this.#limit = new FindingLimit(maxFindingsPerType);
    this.#suppressor = suppressor;
    this.#fields = fields;
    this.#names = names;
    this.columns = new ColumnCounter(names);
    this.#histogram = new HistogramBuilder(detectors.map(({ id }) => id));
  }

  /** The object's bytes ended early: what was read of them counts. */
  endEarly(): void {
    if (this.#part) this.end();
  }

  /** Starts a new object. */
  reset(key: Key): void {
    this.endEarly();
    this.#suppressor.begin(key);
    this.#fields.startObject(key);
    this.columns.reset();
    if (!this.#hasValues) return;
    this.#hasValues = false;
    this.#histogram.reset();
    this.#classified = {};
    this.#limit = new FindingLimit(this.#maxFindingsPerType);
    this.findings = [];
    this.tallies = new Map();
  }

  begin(part: TextPart, window?: TextWindow): void {
    this.#part = part;
    this.columns.begin(part, window);
    this.#fields.begin(part);
    this.#scanner.begin(part, this.#take);
  }

  text(bytes: Uint8Array): void {
    this.columns.push(bytes);
    this.#scanner.push(bytes);
  }

  end(): void {
    this.#scanner.end();
    this.columns.end();
    this.#part = null;
  }

  /** All of the object has been read: demotes outliers of its columns. */
  classifyColumns(classifier: ColumnClassifier): void {
    const { tallies } = this.columns;
    if (tallies === undefined) return;
    const types = [...this.tallies].map(([detector, tally]) => ({ detector, ...tally }));
    const { confidenceHistogram: levels, overlapCounts: contests } = this.#histogram;
    const classified = classifier.classify(
      { types, findings: this.findings, confidenceHistogram: levels, overlapCounts: contests },
      tallies,
    );
    this.findings = [...classified.findings];
    this.tallies = new Map(classified.types.map(({ detector, ...tally }) => [detector, tally]));
    this.#classified = classified;
  }

  /** What is needed to re-evaluate the object under other rules. */
  get features(): Pick<Inspection, 'confidenceHistogram' | 'overlapCounts' | 'columns'> {
    if (!this.#hasValues) return {};
    const {
      confidenceHistogram: levels = this.#histogram.confidenceHistogram,
      overlapCounts: contests = this.#histogram.overlapCounts,
      columns,
    } = this.#classified;
    return {
      confidenceHistogram: levels,
      ...(Object.keys(contests).length > 0 && { overlapCounts: contests }),
      ...(columns && { columns }),
    };
  }

  #collect(spans: SpanBatch): void {
    for (let i = 0; i < spans.count; i++) {
      if (!this.#fields.includes(spans.field[i] ?? null) || this.#isAccepted(spans, i)) continue;
      const index = spans.detector[i]!;
      const level = confidencePercent(spans.confidence[i]!);
      const mark = markOf(spans.reasons[i]!);
      this.#histogram.add(index, level, spans.overlapped[i] ?? null, mark);
      this.#hasValues = true;
      const detector = this.#detectors[index]!;
      const cell = this.columns.countMatch(spans, i, detector.id, level);
      if (spans.reported[i] === 0) continue;
      const tally = this.#tally(detector.id);
      tally.count++;
      if (mark !== null) tally[mark] = (tally[mark] ?? 0) + 1;
      tally.confidence = Math.max(tally.confidence, level / 100);
      if (!this.#limit.admit(tally.count)) continue;
      const finding = this.#found(spans, i, detector);
      this.findings.push(cell === null ? finding : { ...finding, cell });
    }
  }

  /**
   * A value below its threshold is not reported, so it is no hit of a suppression; nor would other rules
   * report it.
   */
  #isAccepted(spans: SpanBatch, i: number): boolean {
    const detector = this.#detectors[spans.detector[i]!]!;
    if (!this.#suppressor.concerns(detector.id)) return false;
    const fingerprint = () => this.#fingerprint.of(detector, this.#valueOf(spans, i));
    return spans.reported[i] === 0
      ? this.#suppressor.wouldAccept(detector.id, fingerprint)
      : this.#suppressor.accepts(detector.id, fingerprint);
  }

  #tally(id: string): TypeTally {
    const tally = this.tallies.get(id) ?? { count: 0, confidence: 0 };
    if (tally.count === 0) this.tallies.set(id, tally);
    return tally;
  }

  #valueOf(spans: SpanBatch, i: number): string {
    const at = spans.at[i]!;
    const length = spans.length[i]!;
    return Buffer.from(spans.window.subarray(at, at + length)).toString(this.#part!.charset);
  }

  #found(spans: SpanBatch, i: number, detector: Detector): FoundValue {
    const part = this.#part!;
    const start = spans.start[i]!;
    const end = spans.end[i]!;
    const value = this.#valueOf(spans, i);
    return {
      part: this.#partNameOf(part, spans, i),
      detector: detector.id,
      category: detector.category,
      field: spans.field[i] == null ? null : printable(this.#names.name(spans.field[i]!)),
      start: part.sourceOffset(start),
      end: part.sourceOffset(end),
      line: (part.before?.lines ?? 0) + spans.line[i]!,
      column: spans.column[i]!,
      confidence: confidencePercent(spans.confidence[i]!) / 100,
      masked: printable(maskValue(detector, value)),
      fingerprint: this.#fingerprint.of(detector, value),
      reasons: reasonsOf(spans.reasons[i]!),
      features: this.#featuresOf(spans, i),
    };
  }

  #partNameOf(part: TextPart, spans: SpanBatch, i: number): string | null {
    const cell = part.cellAt?.(spans.window, spans.at[i]!, spans.line[i]!) ?? null;
    const own = part.name === null ? null : this.#names.name(part.name);
    const name = cell === null ? own : cellPath(own, cell);
    return name === null ? null : printable(name);
  }

  #featuresOf(spans: SpanBatch, i: number): Features {
    const base = confidencePercent(spans.base[i]!);
    const context = confidencePercent(spans.confidence[i]!) - base;
    const entropy = Math.round(spans.entropy[i]! * 100) / 100;
    const others = spans.overlapped[i]?.filter(({ detector }) => detector !== spans.detector[i]) ?? [];
    const contested = others.map(({ detector }) => this.#detectors[detector]!.id);
    return {
      base: base / 100,
      ...(context !== 0 && { context: context / 100 }),
      ...(entropy > 0 && { entropy }),
      ...(contested.length > 0 && { contested: [...new Set(contested)].sort() }),
    };
  }
}

function markOf(reasons: number): Mark | null {
  if ((reasons & EXAMPLE) !== 0) return 'example';
  return (reasons & REASON.authorship) !== 0 ? 'authorship' : null;
}

/** Names and values come from the data: control characters must not reach a table or a terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
