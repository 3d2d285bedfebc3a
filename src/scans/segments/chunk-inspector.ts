/** read → detect, one chunk of a huge object at a time. Each detection thread has its own inspector. */
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import { LEAD_IN, LEAD_OUT } from '../../detection/scanner.ts';
import type { Scanner } from '../../detection/spans.ts';
import type { SeekableText } from '../../extraction/seekable-text.ts';
import { AuthenticationError } from '../../sources/authentication-error.ts';
import type { ByteRange, Source, SourceObject } from '../../sources/source.ts';
import type { TextWindow } from '../columns/value-sampler.ts';
import type { FindingCollector } from '../detect/finding-collector.ts';
import { reasonFor } from '../detect/reason.ts';
import { type Names, PLAIN_NAMES } from '../names/name-masker.ts';
import { clean, type FoundValue, type Inspection, notRead } from '../results/inspection.ts';
import type { Suppressor } from '../suppressions/suppressor.ts';
import { ChunkLines } from './chunk-lines.ts';
import { ChunkScanner } from './chunk-scanner.ts';
import { openSeekableText } from './object-head.ts';
import type { SegmentChunk } from './segment.ts';
import { type ChunkInspection, emptyBoundary } from './segment-result.ts';

/** The chunk being read. `from` and `to` exclude the byte order mark, which is no text. */
interface ChunkRead {
  readonly from: number;
  readonly to: number;
  /** The first byte read. */
  readonly start: number;
  readonly lineCounter: ChunkLines;
}

export class ChunkInspector {
  readonly #source: Source;
  readonly #scanner: ChunkScanner;
  readonly #collector: FindingCollector;
  readonly #suppressor: Suppressor;
  readonly #names: Names;
  #last: { readonly object: SourceObject; readonly text: SeekableText } | null = null;

  /** `collector`: creates one that collects the matches of this scanner. */
  constructor(
    source: Source,
    scanner: Scanner,
    collector: (of: Scanner) => FindingCollector,
    suppressor: Suppressor,
    names: Names = PLAIN_NAMES,
  ) {
    this.#names = names;
    this.#source = source;
    this.#scanner = new ChunkScanner(scanner);
    this.#collector = collector(this.#scanner);
    this.#suppressor = suppressor;
  }

  async inspect(
    { object, step }: SegmentChunk,
    signal: AbortSignal,
    onBytes: (count: number) => void,
  ): Promise<ChunkInspection> {
    this.#collector.reset(object.key);
    let reading: ChunkRead | null = null;
    try {
      const text = await this.#textOf(object, signal);
      reading = this.#startChunk(step, text.bomLength);
      this.#collector.begin(text.part, toTextWindow(reading, text.bomLength));
      await this.#read(object, reading, signal, onBytes);
      this.#collector.end();
      return this.#toInspection(reading, clean(step.to - step.from));
    } catch (error) {
      if (signal.aborted || !(error instanceof SeineError) || error instanceof AuthenticationError)
        throw error;
      this.#collector.endEarly();
      return this.#failed(step, reading, error);
    }
  }

  /** Caches the head, which many chunks need. */
  async #textOf(object: SourceObject, signal: AbortSignal): Promise<SeekableText> {
    const last = this.#last;
    if (last?.object.key === object.key && last.object.identity === object.identity) return last.text;
    const text = await openSeekableText(this.#source, object, signal);
    if (text === null) throw changed(object);
    this.#last = { object, text };
    return text;
  }

  #startChunk(step: ByteRange, mark: number): ChunkRead {
    const [from, to] = [Math.max(step.from, mark), Math.max(step.to, mark)];
    const start = Math.max(mark, from - LEAD_IN);
    this.#scanner.setRange(start - mark, from - mark, to - mark);
    return { from, to, start, lineCounter: new ChunkLines(start, from, to) };
  }

  async #read(
    object: SourceObject,
    { to, start, lineCounter }: ChunkRead,
    signal: AbortSignal,
    onBytes: (count: number) => void,
  ): Promise<void> {
    const range = { from: start, to: Math.min(object.size, to + LEAD_OUT) };
    for await (const bytes of this.#source.read(object, range, signal)) {
      lineCounter.push(bytes);
      this.#collector.text(bytes);
      onBytes(bytes.length);
    }
    if (lineCounter.at !== range.to) throw changed(object);
  }

  #toInspection({ from, to, lineCounter }: ChunkRead, inspection: Inspection): ChunkInspection {
    const { tallies, findings, features } = this.#collector;
    const columns = this.#collector.columns.tallies;
    const types = [...tallies].map(([detector, tally]) => ({ detector, ...tally }));
    const { suppressed } = this.#suppressor;
    const newlines = this.#scanner.newlines - lineCounter.before - lineCounter.after;
    return {
      ...inspection,
      counts: Object.fromEntries(types.map(({ detector, count }) => [detector, count])),
      findings: findings.map((finding) => relativeToChunk(finding, from, lineCounter.before)),
      ...features,
      ...(suppressed && { suppressed }),
      joint: { from, to, newlines, lineStart: lineCounter.lineStart, types, ...(columns && { columns }) },
    };
  }

  /** Findings before the failure are kept, as for an object that is read whole. */
  #failed(step: ByteRange, reading: ChunkRead | null, error: SeineError): ChunkInspection {
    const bytesRead = reading === null ? 0 : ownBytes(step, reading);
    const reason = reasonFor(error);
    const nothing = step.from === 0 && bytesRead === 0;
    const inspection: Inspection = {
      ...notRead('skipped', reason, false),
      outcome: nothing ? 'skipped' : 'partial',
      bytesRead,
      ...(error.retry && { transient: true, evidence: { error: this.#names.message(error.message) } }),
    };
    return reading === null
      ? { ...inspection, joint: emptyBoundary(step) }
      : this.#toInspection(reading, inspection);
  }
}

function toTextWindow({ start, from, to }: ChunkRead, mark: number): TextWindow {
  return { offset: start - mark, from: from - mark, to: to - mark };
}

function ownBytes(step: ByteRange, { start, lineCounter }: ChunkRead): number {
  return lineCounter.at === start ? 0 : Math.max(0, Math.min(lineCounter.at, step.to) - step.from);
}

/**
 * Lines count from the chunk's first line, which is 0; on that line columns count from the chunk's first
 * byte.
 */
function relativeToChunk(finding: FoundValue, from: number, linesBefore: number): FoundValue {
  const line = finding.line - 1 - linesBefore;
  return { ...finding, line, column: line === 0 ? finding.start - from + 1 : finding.column };
}

function changed(object: SourceObject): SeineError {
  return new SeineError('changed', `${displayKey(object.key)} is no longer what was listed.`);
}
