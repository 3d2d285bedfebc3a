/** read → extract → detect → score, for one object after another. A detection thread has one of its own. */
import { SeineError } from '../../base/errors.ts';
import { FIRST_KEY } from '../../base/key.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { createScanner } from '../../detection/scanner.ts';
import type { Scanner } from '../../detection/spans.ts';
import { gathered } from '../../extraction/access.ts';
import { extractAnyBytes, extractBytes, extractStream } from '../../extraction/extract.ts';
import type { Reading } from '../../extraction/extraction.ts';
import { DocumentDied } from '../../extraction/isolation/isolated-documents.ts';
import type { MemoryShare } from '../../extraction/isolation/shared-readers.ts';
import type { RandomAccess } from '../../extraction/piece.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import { type Score, scoreObject, type TypeCount } from '../../governance/score.ts';
import { CredentialRefused } from '../../sources/credential-refused.ts';
import { type ByteRange, type Source, type SourceObject, SPARSE } from '../../sources/source.ts';
import { ColumnJudge } from '../columns/column-judge.ts';
import { Fingerprint } from '../fingerprint.ts';
import { clean, type Inspection, notRead } from '../inspection.ts';
import { NameMasker, type Names } from '../names/name-masker.ts';
import { isStep } from '../parts/part.ts';
import { StepInspector } from '../parts/step-inspector.ts';
import type { Accepted } from '../suppressions/suppression.ts';
import { Suppressor } from '../suppressions/suppressor.ts';
import { Collector } from './collector.ts';
import { type IsolatedMeans, meansOf } from './means.ts';
import { reasonFor } from './reason.ts';
import { ReportedFields } from './reported-fields.ts';
import { inOrder, type Measures, measuresOf, scored } from './scored.ts';
import { thresholdsOf } from './thresholds.ts';

/** Up to here an object is read in one blocking call; beyond, in pieces. */
const SMALL = 1 << 20;
/** From here on of a document only those bytes are asked for that its reader wants. */
const BY_RANGES = 32 << 20;

export interface InspectorOptions {
  readonly rules: RuleSet;
  readonly secret: Uint8Array;
  readonly keepEach: number;
  /** Findings that are known and accepted. */
  readonly accepted?: readonly Accepted[];
}

/** Called as an object is read; also with 0 as something is unpacked, and now and then while a document is taken apart. */
export type OnBytes = (count: number) => void;

export class Inspector {
  readonly #source: Source;
  readonly #collector: Collector;
  readonly #suppressor: Suppressor;
  readonly #measures: Measures;
  readonly #columns: ColumnJudge;
  readonly #steps: StepInspector;
  readonly #means: IsolatedMeans;
  readonly #names: Names;
  #onBytes: OnBytes = () => {};
  readonly #buffer = new Uint8Array(SMALL + 1);
  /** An object that `inspectNow` has read and left to `inspect`. */
  #atHand: { readonly object: SourceObject; readonly bytes: Uint8Array } | null = null;

  /** `memory`: what the reader processes of all threads may have together. */
  constructor(source: Source, options: InspectorOptions, memory?: MemoryShare) {
    const { rules, secret, keepEach } = options;
    const detectors = detectorsOf(rules, catalogue);
    const thresholds = thresholdsOf(rules, detectors);
    const scanner = createScanner(detectors, thresholds);
    this.#columns = new ColumnJudge(detectors, thresholds);
    this.#source = source;
    this.#means = meansOf(rules, { alive: () => this.#onBytes(0), ...(memory && { memory }) });
    this.#measures = measuresOf(rules);
    this.#names = new NameMasker(secret, rules);
    this.#suppressor = new Suppressor(options.accepted, this.#names);
    const fingerprint = new Fingerprint(secret);
    const fields = new ReportedFields(rules);
    const collector = (of: Scanner) =>
      new Collector(of, detectors, fingerprint, keepEach, this.#suppressor, fields, this.#names);
    this.#collector = collector(scanner);
    this.#steps = new StepInspector(source, scanner, collector, this.#suppressor, this.#names);
  }

  /** Ends the process that reads documents, if there is one. */
  close(): void {
    this.#means.documents.close();
  }

  /** Small objects of local sources, without waiting. Null: `inspect` must do it. */
  inspectNow(object: SourceObject): Inspection | null {
    try {
      const bytes = this.#readNow(object);
      if (bytes === null) return null;
      const reading = extractBytes(object.key, bytes, this.#collector, this.#means.limits);
      if (reading === null) this.#atHand = { object, bytes };
      return reading && this.#judge(reading, bytes.length);
    } catch (error) {
      return this.#failed(error, 0);
    }
  }

  #readNow(object: SourceObject): Uint8Array | null {
    if (object.size > SMALL || isStep(object) || !this.#source.readWhole) return null;
    this.#collector.reset(object.key);
    const left = this.#atHand;
    this.#atHand = null;
    if (left?.object === object) return left.bytes;
    const length = this.#source.readWhole(object, this.#buffer);
    return length < 0 ? null : this.#buffer.subarray(0, length);
  }

  async inspect(object: SourceObject, signal: AbortSignal, onBytes: OnBytes): Promise<Inspection> {
    if (isStep(object)) return this.#steps.inspect(object, signal, onBytes);
    this.#onBytes = onBytes;
    let bytesRead = 0;
    const read = (bytes: ByteRange | null) =>
      passing(this.#source.read(object, bytes, signal), (count) => {
        bytesRead += count;
        onBytes(count);
      });
    try {
      const bytes = this.#readNow(object);
      if (bytes !== null) return await this.inspectBytes(object, bytes, onBytes);
      this.#collector.reset(object.key);
      const access = this.#accessTo(object, read);
      const chunks = read(object.readTo === undefined ? null : { from: 0, to: object.readTo });
      const reading = await extractStream(object.key, chunks, this.#collector, this.#means, access);
      return this.#judge(cutShort(object, reading), bytesRead);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#failed(error, bytesRead);
    }
  }

  /** An object whose bytes have been fetched. */
  async inspectBytes(object: SourceObject, bytes: Uint8Array, onBytes: OnBytes): Promise<Inspection> {
    this.#onBytes = onBytes;
    this.#collector.reset(object.key);
    try {
      const reading = extractBytes(object.key, bytes, this.#collector, this.#means.limits);
      if (reading) return this.#judge(reading, bytes.length);
      this.#collector.reset(object.key);
      const whole = await extractAnyBytes(object.key, bytes, this.#collector, this.#means);
      return this.#judge(whole, bytes.length);
    } catch (error) {
      return this.#failed(error, bytes.length);
    }
  }

  /** Null: one request for all of it is better. */
  #accessTo(
    { size }: SourceObject,
    read: (bytes: ByteRange) => AsyncIterable<Uint8Array>,
  ): RandomAccess | null {
    if (size < BY_RANGES || !this.#source.capabilities.rangeRead) return null;
    return {
      size,
      read: (from, to) => gathered(read({ from, to }), Math.max(0, Math.min(to, size) - from)),
    };
  }

  /** An object whose bytes did not come. */
  notFetched(error: SeineError): Inspection {
    this.#collector.reset(FIRST_KEY);
    return this.#failed(error, 0);
  }

  /** Why the object scores what it scores, for `seine inspect`. */
  explainScore(): Score {
    return scoreObject(inOrder(this.#types()), this.#measures.weights);
  }

  /** Neither found nor accepted. */
  get #nothing(): boolean {
    return this.#collector.tallies.size === 0 && this.#suppressor.suppressed === undefined;
  }

  #types(): TypeCount[] {
    return [...this.#collector.tallies].map(([detector, tally]) => ({ detector, ...tally }));
  }

  #judge(reading: Reading, bytesRead: number): Inspection {
    const inspection = this.#judged(reading, bytesRead);
    return reading.lie === undefined ? inspection : { ...inspection, note: this.#names.message(reading.lie) };
  }

  #judged(reading: Reading, bytesRead: number): Inspection {
    this.#collector.judgeColumns(this.#columns);
    if (reading.state === 'skipped')
      return { ...notRead('skipped', this.#names.message(reading.reason), reading.stable), bytesRead };
    if (reading.state === 'read')
      return this.#nothing
        ? { ...clean(bytesRead), ...this.#collector.features }
        : this.#found('scanned', '', true, bytesRead);
    return this.#found('partial', this.#names.message(reading.reason), reading.stable, bytesRead);
  }

  #found(outcome: 'scanned' | 'partial', reason: string, stable: boolean, bytesRead: number): Inspection {
    const { findings, features } = this.#collector;
    const { suppressed } = this.#suppressor;
    const risk = scored(this.#types(), this.#measures);
    const more = { ...features, ...(suppressed && { suppressed }) };
    return { outcome, reason, stable, bytesRead, findings, ...risk, ...more };
  }

  /** What was found before the failure is kept: the object is partial then, otherwise it was not read. */
  #failed(error: unknown, bytesRead: number): Inspection {
    if (error instanceof DocumentDied) {
      const message = this.#names.message(error.message);
      return { ...notRead('dead', message, false), bytesRead, evidence: { error: message, attempts: 2 } };
    }
    // A fault of ours, or one that every object would meet, is not the object's fate.
    if (!(error instanceof SeineError) || error instanceof CredentialRefused) throw error;
    const reason = reasonFor(error);
    this.#collector.breakOff();
    this.#collector.judgeColumns(this.#columns);
    const some = bytesRead > 0 || !this.#nothing;
    const inspection = some
      ? this.#found('partial', reason, false, bytesRead)
      : notRead('skipped', reason, false);
    if (!error.retry) return inspection;
    return { ...inspection, transient: true, evidence: { error: this.#names.message(error.message) } };
  }
}

/** However well the beginning could be read, the rest was left out. */
function cutShort({ readTo }: SourceObject, reading: Reading): Reading {
  if (readTo === undefined || reading.state !== 'read') return reading;
  return { ...reading, state: 'partial', reason: SPARSE, stable: true };
}

async function* passing(
  chunks: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}
