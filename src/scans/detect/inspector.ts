/** read → extract → detect → score, one object at a time. Each detection thread has its own inspector. */
import { SeineError } from '../../base/errors.ts';
import { FIRST_KEY } from '../../base/key.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { createScanner } from '../../detection/scanner.ts';
import type { Scanner } from '../../detection/spans.ts';
import type { RandomAccess } from '../../extraction/document-item.ts';
import { extractBytes, extractBytesAsync, extractStream } from '../../extraction/extract.ts';
import type { ExtractionResult } from '../../extraction/extraction.ts';
import { concatBounded } from '../../extraction/input/random-access.ts';
import { ReaderCrashed } from '../../extraction/isolation/isolated-readers.ts';
import type { MemoryShare } from '../../extraction/isolation/shared-readers.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import { type Score, scoreObject, type TypeCount } from '../../governance/score.ts';
import { AuthenticationError } from '../../sources/authentication-error.ts';
import { type ByteRange, type Source, type SourceObject, SPARSE } from '../../sources/source.ts';
import { ColumnClassifier } from '../columns/column-classifier.ts';
import { NameMasker, type Names } from '../names/name-masker.ts';
import { Fingerprint } from '../results/fingerprint.ts';
import { clean, type Inspection, notRead } from '../results/inspection.ts';
import { toReasonCode } from '../results/reason-code.ts';
import { ChunkInspector } from '../segments/chunk-inspector.ts';
import { isChunk } from '../segments/segment.ts';
import type { ActiveSuppression } from '../suppressions/suppression.ts';
import { Suppressor } from '../suppressions/suppressor.ts';
import { extractionOptionsFor, type IsolatedExtractionOptions } from './extraction-options.ts';
import { FindingCollector } from './finding-collector.ts';
import { reasonFor } from './reason.ts';
import { ReportedFields } from './reported-fields.ts';
import { type ScoringRules, scoreTypes, scoringRulesFor, sortByDetector } from './score-types.ts';
import { thresholdsOf } from './thresholds.ts';

/** Objects up to this size are read in one blocking call, larger ones in chunks. */
const MAX_SYNC_BYTES = 1 << 20;
/** From this size on, a document is read by byte ranges, as its reader needs them. */
const MIN_RANGED_BYTES = 32 << 20;

export interface InspectorOptions {
  readonly rules: RuleSet;
  readonly secret: Uint8Array;
  readonly maxFindingsPerType: number;
  /** Active suppressions. */
  readonly accepted?: readonly ActiveSuppression[];
}

/**
 * Called as an object is read; also with 0 during decompression, and from time to time while a document is
 * parsed.
 */
export type OnBytesRead = (count: number) => void;

export class Inspector {
  readonly #source: Source;
  readonly #collector: FindingCollector;
  readonly #suppressor: Suppressor;
  readonly #scoring: ScoringRules;
  readonly #columns: ColumnClassifier;
  readonly #chunks: ChunkInspector;
  readonly #extraction: IsolatedExtractionOptions;
  readonly #names: Names;
  #onBytes: OnBytesRead = () => {};
  readonly #buffer = new Uint8Array(MAX_SYNC_BYTES + 1);
  /** An object that `inspectSync` has read and left to `inspect`. */
  #readAlready: { readonly object: SourceObject; readonly bytes: Uint8Array } | null = null;

  /** `memory`: the memory budget shared by the reader processes of all threads. */
  constructor(source: Source, options: InspectorOptions, memory?: MemoryShare) {
    const { rules, secret, maxFindingsPerType } = options;
    const detectors = detectorsOf(rules, catalogue);
    const thresholds = thresholdsOf(rules, detectors);
    const scanner = createScanner(detectors, thresholds);
    this.#columns = new ColumnClassifier(detectors, thresholds);
    this.#source = source;
    this.#extraction = extractionOptionsFor(rules, {
      onProgress: () => this.#onBytes(0),
      ...(memory && { memory }),
    });
    this.#scoring = scoringRulesFor(rules);
    this.#names = new NameMasker(secret, rules);
    this.#suppressor = new Suppressor(options.accepted, this.#names);
    const fingerprint = new Fingerprint(secret);
    const fields = new ReportedFields(rules);
    const collector = (of: Scanner) =>
      new FindingCollector(
        of,
        detectors,
        fingerprint,
        maxFindingsPerType,
        this.#suppressor,
        fields,
        this.#names,
      );
    this.#collector = collector(scanner);
    this.#chunks = new ChunkInspector(source, scanner, collector, this.#suppressor, this.#names);
  }

  /** Ends the process that reads documents, if there is one. */
  close(): void {
    this.#extraction.documents.close();
  }

  /** Inspects small objects of local sources synchronously. Returns null if `inspect` must be used. */
  inspectSync(object: SourceObject): Inspection | null {
    try {
      const bytes = this.#readSync(object);
      if (bytes === null) return null;
      const reading = extractBytes(object.key, bytes, this.#collector, this.#extraction.limits);
      if (reading === null) this.#readAlready = { object, bytes };
      return reading && this.#toInspection(reading, bytes.length);
    } catch (error) {
      return this.#failed(error, 0);
    }
  }

  #readSync(object: SourceObject): Uint8Array | null {
    if (object.size > MAX_SYNC_BYTES || isChunk(object) || !this.#source.readWhole) return null;
    this.#collector.reset(object.key);
    const left = this.#readAlready;
    this.#readAlready = null;
    if (left?.object === object) return left.bytes;
    const length = this.#source.readWhole(object, this.#buffer);
    return length < 0 ? null : this.#buffer.subarray(0, length);
  }

  async inspect(object: SourceObject, signal: AbortSignal, onBytes: OnBytesRead): Promise<Inspection> {
    if (isChunk(object)) return this.#chunks.inspect(object, signal, onBytes);
    this.#onBytes = onBytes;
    let bytesRead = 0;
    const read = (bytes: ByteRange | null) =>
      passing(this.#source.read(object, bytes, signal), (count) => {
        bytesRead += count;
        onBytes(count);
      });
    try {
      const bytes = this.#readSync(object);
      if (bytes !== null) return await this.inspectBytes(object, bytes, onBytes);
      this.#collector.reset(object.key);
      const access = this.#accessTo(object, read);
      const chunks = read(object.readTo === undefined ? null : { from: 0, to: object.readTo });
      const reading = await extractStream(object.key, chunks, this.#collector, this.#extraction, access);
      return this.#toInspection(markPartial(object, reading), bytesRead);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#failed(error, bytesRead);
    }
  }

  /** Inspects an object whose bytes have been fetched. */
  async inspectBytes(object: SourceObject, bytes: Uint8Array, onBytes: OnBytesRead): Promise<Inspection> {
    this.#onBytes = onBytes;
    this.#collector.reset(object.key);
    try {
      const reading = extractBytes(object.key, bytes, this.#collector, this.#extraction.limits);
      if (reading) return this.#toInspection(reading, bytes.length);
      this.#collector.reset(object.key);
      const whole = await extractBytesAsync(object.key, bytes, this.#collector, this.#extraction);
      return this.#toInspection(whole, bytes.length);
    } catch (error) {
      return this.#failed(error, bytes.length);
    }
  }

  /** Returns null if one request for the whole object is better. */
  #accessTo(
    { size }: SourceObject,
    read: (bytes: ByteRange) => AsyncIterable<Uint8Array>,
  ): RandomAccess | null {
    if (size < MIN_RANGED_BYTES || !this.#source.capabilities.rangeRead) return null;
    return {
      size,
      read: (from, to) => concatBounded(read({ from, to }), Math.max(0, Math.min(to, size) - from)),
    };
  }

  /** The outcome of an object whose bytes could not be fetched. */
  fetchFailure(error: SeineError): Inspection {
    this.#collector.reset(FIRST_KEY);
    return this.#failed(error, 0);
  }

  /** The parts of the object's score, for `seine inspect`. */
  explainScore(): Score {
    return scoreObject(sortByDetector(this.#types()), this.#scoring.weights);
  }

  /** No findings, reported or suppressed. */
  get #nothing(): boolean {
    return this.#collector.tallies.size === 0 && this.#suppressor.suppressed === undefined;
  }

  #types(): TypeCount[] {
    return [...this.#collector.tallies].map(([detector, tally]) => ({ detector, ...tally }));
  }

  #toInspection(reading: ExtractionResult, bytesRead: number): Inspection {
    const inspection = this.#classifyResult(reading, bytesRead);
    return reading.typeMismatch === undefined
      ? inspection
      : { ...inspection, note: this.#names.message(reading.typeMismatch) };
  }

  #classifyResult(reading: ExtractionResult, bytesRead: number): Inspection {
    this.#collector.classifyColumns(this.#columns);
    if (reading.state === 'skipped')
      return {
        ...notRead('skipped', this.#names.message(toReasonCode(reading.reason)), reading.stable),
        bytesRead,
      };
    if (reading.state === 'read')
      return this.#nothing
        ? { ...clean(bytesRead), ...this.#collector.features }
        : this.#found('scanned', '', true, bytesRead);
    return this.#found(
      'partial',
      this.#names.message(toReasonCode(reading.reason)),
      reading.stable,
      bytesRead,
    );
  }

  #found(outcome: 'scanned' | 'partial', reason: string, stable: boolean, bytesRead: number): Inspection {
    const { findings, features } = this.#collector;
    const { suppressed } = this.#suppressor;
    const risk = scoreTypes(this.#types(), this.#scoring);
    const more = { ...features, ...(suppressed && { suppressed }) };
    return { outcome, reason, stable, bytesRead, findings, ...risk, ...more };
  }

  /** Findings before the failure are kept, and the object is partial then; otherwise it was not read. */
  #failed(error: unknown, bytesRead: number): Inspection {
    if (error instanceof ReaderCrashed) {
      const message = this.#names.message(error.message);
      return {
        ...notRead('dead', toReasonCode(message), false),
        bytesRead,
        evidence: { error: message, attempts: 2 },
      };
    }
    // Internal errors, and those that every object would meet, are not attributed to this object.
    if (!(error instanceof SeineError) || error instanceof AuthenticationError) throw error;
    const reason = reasonFor(error);
    this.#collector.endEarly();
    this.#collector.classifyColumns(this.#columns);
    const some = bytesRead > 0 || !this.#nothing;
    const inspection = some
      ? this.#found('partial', reason, false, bytesRead)
      : notRead('skipped', reason, false);
    if (!error.retry) return inspection;
    return { ...inspection, transient: true, evidence: { error: this.#names.message(error.message) } };
  }
}

/** Only the start of the object was read, so it is partial even if that could be read completely. */
function markPartial({ readTo }: SourceObject, reading: ExtractionResult): ExtractionResult {
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
