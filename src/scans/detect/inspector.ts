/** read → extract → detect → score, for one object after another. A detection thread has one of its own. */
import { SeineError } from '../../base/errors.ts';
import { FIRST_KEY } from '../../base/key.ts';
import { catalogue } from '../../detection/catalogue.ts';
import { createScanner } from '../../detection/scanner.ts';
import type { Scanner } from '../../detection/spans.ts';
import { extractBytes, extractStream } from '../../extraction/extract.ts';
import type { Reading } from '../../extraction/extraction.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import { type Score, scoreObject, type TypeCount } from '../../governance/score.ts';
import { CredentialRefused } from '../../sources/credential-refused.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { ColumnJudge } from '../columns/column-judge.ts';
import { Fingerprint } from '../fingerprint.ts';
import { clean, type Inspection, notRead } from '../inspection.ts';
import { isStep } from '../parts/part.ts';
import { StepInspector } from '../parts/step-inspector.ts';
import type { Accepted } from '../suppressions/suppression.ts';
import { Suppressor } from '../suppressions/suppressor.ts';
import { Collector } from './collector.ts';
import { reasonFor } from './reason.ts';
import { ReportedFields } from './reported-fields.ts';
import { inOrder, type Measures, measuresOf, scored } from './scored.ts';
import { thresholdsOf } from './thresholds.ts';

/** Up to here an object is read in one blocking call; beyond, in pieces. */
const SMALL = 1 << 20;

export interface InspectorOptions {
  readonly rules: RuleSet;
  readonly secret: Uint8Array;
  readonly keepEach: number;
  /** Findings that are known and accepted. */
  readonly accepted?: readonly Accepted[];
}

export class Inspector {
  readonly #source: Source;
  readonly #collector: Collector;
  readonly #suppressor: Suppressor;
  readonly #measures: Measures;
  readonly #columns: ColumnJudge;
  readonly #steps: StepInspector;
  readonly #buffer = new Uint8Array(SMALL + 1);

  constructor(source: Source, options: InspectorOptions) {
    const { rules, secret, keepEach } = options;
    const detectors = detectorsOf(rules, catalogue);
    const thresholds = thresholdsOf(rules, detectors);
    const scanner = createScanner(detectors, thresholds);
    this.#columns = new ColumnJudge(detectors, thresholds);
    this.#source = source;
    this.#measures = measuresOf(rules);
    this.#suppressor = new Suppressor(options.accepted);
    const fingerprint = new Fingerprint(secret);
    const fields = new ReportedFields(rules);
    const collector = (of: Scanner) =>
      new Collector(of, detectors, fingerprint, keepEach, this.#suppressor, fields);
    this.#collector = collector(scanner);
    this.#steps = new StepInspector(source, scanner, collector, this.#suppressor);
  }

  /** Small objects of local sources, without waiting. Null: `inspect` must do it. */
  inspectNow(object: SourceObject): Inspection | null {
    if (object.size > SMALL || isStep(object) || !this.#source.readWhole) return null;
    this.#collector.reset(object.key);
    try {
      const length = this.#source.readWhole(object, this.#buffer);
      if (length < 0) return null;
      const reading = extractBytes(object.key, this.#buffer.subarray(0, length), this.#collector);
      return reading && this.#judge(reading, length);
    } catch (error) {
      return this.#failed(error, 0);
    }
  }

  async inspect(
    object: SourceObject,
    signal: AbortSignal,
    onBytes: (count: number) => void,
  ): Promise<Inspection> {
    if (isStep(object)) return this.#steps.inspect(object, signal, onBytes);
    const now = this.inspectNow(object);
    if (now) return now;
    this.#collector.reset(object.key);
    let bytesRead = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        bytesRead += chunk.length;
        onBytes(chunk.length);
        yield chunk;
      }
    };
    try {
      const chunks = counted(this.#source.read(object, null, signal));
      return this.#judge(await extractStream(object.key, chunks, this.#collector), bytesRead);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#failed(error, bytesRead);
    }
  }

  /** An object whose bytes have been fetched. */
  async inspectBytes(object: SourceObject, bytes: Uint8Array): Promise<Inspection> {
    this.#collector.reset(object.key);
    const reading = extractBytes(object.key, bytes, this.#collector);
    if (reading) return this.#judge(reading, bytes.length);
    this.#collector.reset(object.key);
    const once = async function* () {
      yield bytes;
    };
    return this.#judge(await extractStream(object.key, once(), this.#collector), bytes.length);
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
    this.#collector.judgeColumns(this.#columns);
    if (reading.state === 'skipped')
      return { ...notRead('skipped', reading.reason, reading.stable), bytesRead };
    if (reading.state === 'read')
      return this.#nothing
        ? { ...clean(bytesRead), ...this.#collector.features }
        : this.#found('scanned', '', true, bytesRead);
    return this.#found('partial', reading.reason, reading.stable, bytesRead);
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
    // A fault of ours, or one that every object would meet, is not the object's fate.
    if (!(error instanceof SeineError) || error instanceof CredentialRefused) throw error;
    const reason = reasonFor(error);
    this.#collector.breakOff();
    this.#collector.judgeColumns(this.#columns);
    const some = bytesRead > 0 || !this.#nothing;
    const inspection = some
      ? this.#found('partial', reason, false, bytesRead)
      : notRead('skipped', reason, false);
    return error.retry ? { ...inspection, transient: true, evidence: { error: error.message } } : inspection;
  }
}
