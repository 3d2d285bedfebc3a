/**
 * Takes the text of one object from extraction, gives it to detection, and keeps what was found: masked, fingerprinted,
 * counted. Raw values exist only in the bytes at hand and are gone when `text` returns.
 */
import type { Detector } from '../../detection/detector.ts';
import { maskValue } from '../../detection/masking.ts';
import { reasonsOf } from '../../detection/reasons.ts';
import type { Scanner, SpanBatch } from '../../detection/spans.ts';
import type { Part, TextSink } from '../../extraction/extraction.ts';
import type { Fingerprint } from '../fingerprint.ts';
import type { FoundValue } from '../inspection.ts';

export interface Tally {
  count: number;
  confidence: number;
}

export class Collector implements TextSink {
  readonly #scanner: Scanner;
  readonly #detectors: readonly Detector[];
  readonly #fingerprint: Fingerprint;
  readonly #keepEach: number;
  #part: Part | null = null;
  findings: FoundValue[] = [];
  tallies = new Map<string, Tally>();

  constructor(scanner: Scanner, detectors: readonly Detector[], fingerprint: Fingerprint, keepEach: number) {
    this.#scanner = scanner;
    this.#detectors = detectors;
    this.#fingerprint = fingerprint;
    this.#keepEach = keepEach;
  }

  /** The object's bytes broke off in the middle: what was seen of them counts. */
  breakOff(): void {
    if (this.#part) this.end();
  }

  reset(): void {
    this.breakOff();
    if (this.tallies.size === 0) return;
    this.findings = [];
    this.tallies = new Map();
  }

  begin(part: Part): void {
    this.#part = part;
    this.#scanner.begin(part);
  }

  text(bytes: Uint8Array): void {
    this.#collect(this.#scanner.push(bytes));
  }

  end(): void {
    this.#collect(this.#scanner.end());
    this.#part = null;
  }

  #collect(spans: SpanBatch): void {
    for (let i = 0; i < spans.count; i++) {
      const detector = this.#detectors[spans.detector[i]!]!;
      const tally = this.#tally(detector.id);
      tally.count++;
      tally.confidence = Math.max(tally.confidence, spans.confidence[i]!);
      // A table of a million addresses is one fact with a count; the first ones are enough to act on.
      if (tally.count <= this.#keepEach) this.findings.push(this.#found(spans, i, detector));
    }
  }

  #tally(id: string): Tally {
    const tally = this.tallies.get(id) ?? { count: 0, confidence: 0 };
    if (tally.count === 0) this.tallies.set(id, tally);
    return tally;
  }

  #found(spans: SpanBatch, i: number, detector: Detector): FoundValue {
    const part = this.#part!;
    const start = spans.start[i]!;
    const end = spans.end[i]!;
    const at = spans.at[i]!;
    const value = Buffer.from(spans.window.subarray(at, at + (end - start))).toString(part.charset);
    return {
      part: part.name === null ? null : printable(part.name),
      detector: detector.id,
      category: detector.category,
      field: spans.field[i] == null ? null : printable(spans.field[i]!),
      start: part.origin(start),
      end: part.origin(end),
      line: spans.line[i]!,
      column: spans.column[i]!,
      confidence: Math.round(spans.confidence[i]! * 100) / 100,
      masked: printable(maskValue(detector, value)),
      fingerprint: this.#fingerprint.of(detector, value),
      reasons: reasonsOf(spans.reasons[i]!),
    };
  }
}

/** Names and values come from the data; no control character of theirs gets into a table or a terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
