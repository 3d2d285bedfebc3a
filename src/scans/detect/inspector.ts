/** read → extract → detect → score, for one object after another. A detection thread has one of its own. */
import { SeineError } from '../../base/errors.ts';
import { catalogue } from '../../detection/detectors/catalogue.ts';
import { createScanner } from '../../detection/scanner.ts';
import { extractBytes, extractStream } from '../../extraction/extract.ts';
import type { Reading } from '../../extraction/extraction.ts';
import { isDetectorOn, type RuleSet } from '../../governance/rule-set.ts';
import { type Score, scoreObject, type TypeCount } from '../../governance/score.ts';
import { DEFAULT_WEIGHTS, type Weights, withOverrides } from '../../governance/weights.ts';
import { CredentialRefused } from '../../sources/credential-refused.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { Fingerprint } from '../fingerprint.ts';
import { clean, type Inspection, notRead } from '../inspection.ts';
import { isStep } from '../parts/part.ts';
import { StepInspector } from '../parts/step-inspector.ts';
import { Collector } from './collector.ts';
import { reasonFor } from './reason.ts';
import { scored } from './scored.ts';

/** Up to here an object is read in one blocking call; beyond, in pieces. */
const SMALL = 1 << 20;

export interface InspectorOptions {
  readonly rules: RuleSet;
  readonly secret: Uint8Array;
  readonly keepEach: number;
}

export class Inspector {
  readonly #source: Source;
  readonly #collector: Collector;
  readonly #weights: Weights;
  readonly #steps: StepInspector;
  readonly #buffer = new Uint8Array(SMALL + 1);

  constructor(source: Source, options: InspectorOptions) {
    const detectors = catalogue.filter((detector) => isDetectorOn(options.rules, detector.id));
    const scanner = createScanner(detectors, { minConfidence: options.rules.minConfidence });
    this.#source = source;
    this.#weights = withOverrides(DEFAULT_WEIGHTS, options.rules.weights);
    const fingerprint = new Fingerprint(options.secret);
    this.#collector = new Collector(scanner, detectors, fingerprint, options.keepEach);
    this.#steps = new StepInspector(source, scanner, detectors, fingerprint, options.keepEach);
  }

  /** Small objects of local sources, without waiting. Null: `inspect` must do it. */
  inspectNow(object: SourceObject): Inspection | null {
    if (object.size > SMALL || isStep(object) || !this.#source.readWhole) return null;
    this.#collector.reset();
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
    this.#collector.reset();
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
    this.#collector.reset();
    const reading = extractBytes(object.key, bytes, this.#collector);
    if (reading) return this.#judge(reading, bytes.length);
    this.#collector.reset();
    const once = async function* () {
      yield bytes;
    };
    return this.#judge(await extractStream(object.key, once(), this.#collector), bytes.length);
  }

  /** An object whose bytes did not come. */
  notFetched(error: SeineError): Inspection {
    this.#collector.reset();
    return this.#failed(error, 0);
  }

  /** Why the object scores what it scores, for `seine inspect`. */
  explainScore(): Score {
    return scoreObject(this.#types(), this.#weights);
  }

  #types(): TypeCount[] {
    return [...this.#collector.tallies].map(([detector, tally]) => ({ detector, ...tally }));
  }

  #judge(reading: Reading, bytesRead: number): Inspection {
    if (reading.state === 'skipped')
      return { ...notRead('skipped', reading.reason, reading.stable), bytesRead };
    if (reading.state === 'read')
      return this.#collector.tallies.size === 0
        ? clean(bytesRead)
        : this.#found('scanned', '', true, bytesRead);
    return this.#found('partial', reading.reason, reading.stable, bytesRead);
  }

  #found(outcome: 'scanned' | 'partial', reason: string, stable: boolean, bytesRead: number): Inspection {
    const { findings } = this.#collector;
    return { outcome, reason, stable, bytesRead, findings, ...scored(this.#types(), this.#weights) };
  }

  /** What was found before the failure is kept: the object is partial then, otherwise it was not read. */
  #failed(error: unknown, bytesRead: number): Inspection {
    // A fault of ours, or one that every object would meet, is not the object's fate.
    if (!(error instanceof SeineError) || error instanceof CredentialRefused) throw error;
    const reason = reasonFor(error);
    this.#collector.breakOff();
    const some = bytesRead > 0 || this.#collector.tallies.size > 0;
    const inspection = some
      ? this.#found('partial', reason, false, bytesRead)
      : notRead('skipped', reason, false);
    return error.retry ? { ...inspection, transient: true, evidence: { error: error.message } } : inspection;
  }
}
