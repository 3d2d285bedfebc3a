/** read → detect, for one step of a huge object after another. A detection thread has one of its own. */
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import { LEAD_IN, LEAD_OUT } from '../../detection/scanner.ts';
import type { Scanner } from '../../detection/spans.ts';
import type { AnywhereText } from '../../extraction/anywhere.ts';
import { CredentialRefused } from '../../sources/credential-refused.ts';
import type { ByteRange, Source, SourceObject } from '../../sources/source.ts';
import type { Stretch } from '../columns/value-sampler.ts';
import type { Collector } from '../detect/collector.ts';
import { reasonFor } from '../detect/reason.ts';
import { clean, type FoundValue, type Inspection, notRead } from '../inspection.ts';
import { type Names, PLAIN_NAMES } from '../names/name-masker.ts';
import type { Suppressor } from '../suppressions/suppressor.ts';
import { readText } from './head.ts';
import type { StepObject } from './part.ts';
import { nothingIn, type StepInspection } from './part-result.ts';
import { StepLines } from './step-lines.ts';
import { StepScanner } from './step-scanner.ts';

/** A step that is being read. `from` and `to` are its bytes without the mark, which is no text. */
interface Reading {
  readonly from: number;
  readonly to: number;
  /** The first byte that is read. */
  readonly start: number;
  readonly lines: StepLines;
}

export class StepInspector {
  readonly #source: Source;
  readonly #scanner: StepScanner;
  readonly #collector: Collector;
  readonly #suppressor: Suppressor;
  readonly #names: Names;
  #last: { readonly object: SourceObject; readonly text: AnywhereText } | null = null;

  /** `collector`: makes one that collects what this scanner finds. */
  constructor(
    source: Source,
    scanner: Scanner,
    collector: (of: Scanner) => Collector,
    suppressor: Suppressor,
    names: Names = PLAIN_NAMES,
  ) {
    this.#names = names;
    this.#source = source;
    this.#scanner = new StepScanner(scanner);
    this.#collector = collector(this.#scanner);
    this.#suppressor = suppressor;
  }

  async inspect(
    { object, step }: StepObject,
    signal: AbortSignal,
    onBytes: (count: number) => void,
  ): Promise<StepInspection> {
    this.#collector.reset(object.key);
    let reading: Reading | null = null;
    try {
      const text = await this.#textOf(object, signal);
      reading = this.#aim(step, text.mark);
      this.#collector.begin(text.part, stretchOf(reading, text.mark));
      await this.#read(object, reading, signal, onBytes);
      this.#collector.end();
      return this.#told(reading, clean(step.to - step.from));
    } catch (error) {
      if (signal.aborted || !(error instanceof SeineError) || error instanceof CredentialRefused) throw error;
      this.#collector.breakOff();
      return this.#failed(step, reading, error);
    }
  }

  /** The head is read once for many steps. */
  async #textOf(object: SourceObject, signal: AbortSignal): Promise<AnywhereText> {
    const last = this.#last;
    if (last?.object.key === object.key && last.object.identity === object.identity) return last.text;
    const text = await readText(this.#source, object, signal);
    if (text === null) throw changed(object);
    this.#last = { object, text };
    return text;
  }

  #aim(step: ByteRange, mark: number): Reading {
    const [from, to] = [Math.max(step.from, mark), Math.max(step.to, mark)];
    const start = Math.max(mark, from - LEAD_IN);
    this.#scanner.aim(start - mark, from - mark, to - mark);
    return { from, to, start, lines: new StepLines(start, from, to) };
  }

  async #read(
    object: SourceObject,
    { to, start, lines }: Reading,
    signal: AbortSignal,
    onBytes: (count: number) => void,
  ): Promise<void> {
    const range = { from: start, to: Math.min(object.size, to + LEAD_OUT) };
    for await (const piece of this.#source.read(object, range, signal)) {
      lines.see(piece);
      this.#collector.text(piece);
      onBytes(piece.length);
    }
    if (lines.at !== range.to) throw changed(object);
  }

  #told({ from, to, lines }: Reading, inspection: Inspection): StepInspection {
    const { tallies, findings, features } = this.#collector;
    const columns = this.#collector.columns.tallies;
    const types = [...tallies].map(([detector, tally]) => ({ detector, ...tally }));
    const { suppressed } = this.#suppressor;
    const newlines = this.#scanner.newlines - lines.before - lines.after;
    return {
      ...inspection,
      counts: Object.fromEntries(types.map(({ detector, count }) => [detector, count])),
      findings: findings.map((finding) => fromStep(finding, from, lines.before)),
      ...features,
      ...(suppressed && { suppressed }),
      joint: { from, to, newlines, lineStart: lines.lineStart, types, ...(columns && { columns }) },
    };
  }

  /** What was found before the failure is kept, as with an object that is read whole. */
  #failed(step: ByteRange, reading: Reading | null, error: SeineError): StepInspection {
    const bytesRead = reading === null ? 0 : ownBytes(step, reading);
    const reason = reasonFor(error);
    const nothing = step.from === 0 && bytesRead === 0;
    const inspection: Inspection = {
      ...notRead('skipped', reason, false),
      outcome: nothing ? 'skipped' : 'partial',
      bytesRead,
      ...(error.retry && { transient: true, evidence: { error: this.#names.message(error.message) } }),
    };
    return reading === null ? { ...inspection, joint: nothingIn(step) } : this.#told(reading, inspection);
  }
}

function stretchOf({ start, from, to }: Reading, mark: number): Stretch {
  return { offset: start - mark, from: from - mark, to: to - mark };
}

function ownBytes(step: ByteRange, { start, lines }: Reading): number {
  return lines.at === start ? 0 : Math.max(0, Math.min(lines.at, step.to) - step.from);
}

/** Lines count from the step's first, which is 0; on that line columns count from the step's first byte. */
function fromStep(finding: FoundValue, from: number, linesBefore: number): FoundValue {
  const line = finding.line - 1 - linesBefore;
  return { ...finding, line, column: line === 0 ? finding.start - from + 1 : finding.column };
}

function changed(object: SourceObject): SeineError {
  return new SeineError('changed', `${displayKey(object.key)} is no longer what was listed.`);
}
