import { type Detector, REACH_AHEAD, REACH_BACK } from './detector.ts';
import { kernelFinder } from './kernel/kernel-finder.ts';
import { Matcher, type Span } from './matcher.ts';
import { OverlapResolver } from './overlaps.ts';
import { SpanColumns } from './span-columns.ts';
import type { Scanner, SpanBatch, TextContext } from './spans.ts';

export function createScanner(
  detectors: readonly Detector[],
  options: { minConfidence?: number } = {},
): Scanner {
  return new WindowScanner(detectors, options.minConfidence ?? 0.5);
}

/**
 * The stretch of text that the reader of field names sees: a block at a fixed offset with so much around it, so that it
 * is the same for any chunking and neighbours share it.
 */
const FIELD_BLOCK = 2048;
const FIELD_BACK = 4096;
const FIELD_AHEAD = 1024;
const HISTORY = REACH_BACK + FIELD_BACK + FIELD_BLOCK;
/** What is needed around a span to be sure of it: all that verifiers and readers of fields look at, and its chain of overlaps. */
export const LEAD_IN: number = HISTORY + REACH_AHEAD + 2 * OverlapResolver.CELL;
export const LEAD_OUT: number = REACH_BACK + REACH_AHEAD + 2 * OverlapResolver.CELL;
const START_ROOM = 96 * 1024;
/** Less than this is not worth a pass. */
const STRETCH = 16 * 1024;

/**
 * The text passes through one buffer: [history][what is being scanned][look-ahead]. An anchor is taken only when all a
 * verifier may look at is there, so chunk borders cannot matter; before the text's start and after its end there are
 * zeros, so verifiers need no bounds. Spans wait until nothing that could overlap them can still come.
 */
class WindowScanner implements Scanner {
  #context: TextContext = { fieldAt: () => null };
  readonly #matcher: Matcher;
  #overlaps = new OverlapResolver();
  readonly #columns = new SpanColumns();
  #buffer = Buffer.alloc(START_ROOM);
  #textStart = REACH_BACK; // in the buffer: where its first byte of text is
  #length = REACH_BACK; // in the buffer: where the text read so far ends
  #scanned = REACH_BACK; // in the buffer: anchors before this place have been taken
  #origin = -REACH_BACK; // the text's offset of the buffer's first byte
  #pending: Span[] = [];
  #view: Uint8Array | null = null; // what the reader of field names sees
  #viewStart = 0; // in the buffer
  #blockStart = 0; // in the buffer
  readonly #fieldAt = (at: number): string | null => this.#askField(at);

  constructor(detectors: readonly Detector[], minConfidence: number) {
    this.#matcher = new Matcher(detectors, minConfidence, kernelFinder);
  }

  begin(context: TextContext, offset = 0): void {
    this.#context = context;
    this.#overlaps = new OverlapResolver();
    this.#pending = [];
    this.#buffer.fill(0, 0, REACH_BACK);
    this.#textStart = this.#length = this.#scanned = REACH_BACK;
    this.#origin = offset - REACH_BACK;
    this.#view = null;
    this.#matcher.begin(REACH_BACK);
  }

  get newlines(): number {
    return this.#matcher.anchors.now.number - 1;
  }

  push(bytes: Uint8Array): SpanBatch {
    if (this.#length + bytes.length + REACH_AHEAD > this.#buffer.length) this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    const ready = this.#length - REACH_AHEAD;
    return this.#batch(ready - this.#scanned >= STRETCH ? this.#scanTo(ready) : []);
  }

  end(): SpanBatch {
    if (this.#length + REACH_AHEAD > this.#buffer.length) this.#makeRoom(0);
    this.#buffer.fill(0, this.#length, this.#length + REACH_AHEAD);
    const spans = this.#scanTo(this.#length);
    this.#release(Number.POSITIVE_INFINITY, spans);
    this.#overlaps.settle(spans, 0);
    return this.#batch(spans);
  }

  #scanTo(to: number): Span[] {
    this.#matcher.run(this.#buffer, this.#scanned, to, this.#origin, this.#fieldAt, this.#pending);
    this.#scanned = to;
    const settled: Span[] = [];
    // A later anchor may still give a span that starts up to REACH_BACK before it.
    this.#release(this.#origin + to - REACH_BACK, settled);
    return settled;
  }

  #release(before: number, out: Span[]): void {
    const waiting = this.#pending.sort(byPlace);
    let n = 0;
    while (n < waiting.length && waiting[n]!.start < before) this.#overlaps.add(waiting[n++]!, out);
    this.#overlaps.passed(before, out);
    this.#pending = n === 0 ? waiting : waiting.slice(n);
  }

  /** Drops what nobody needs any more from the front, and enlarges the buffer only if that is not enough. */
  #makeRoom(more: number): void {
    let keep = Math.max(this.#scanned - HISTORY, this.#textStart - REACH_BACK);
    for (const start of [this.#pending[0]?.start, this.#overlaps.openFrom]) {
      if (start != null) keep = Math.min(keep, start - this.#origin - REACH_BACK);
    }
    keep = Math.max(keep, 0);
    const old = this.#buffer;
    const room = this.#length - keep + more + REACH_AHEAD;
    if (room > old.length) this.#buffer = Buffer.alloc(Math.max(room, Math.min(old.length * 2, 1 << 20)));
    old.copy(this.#buffer, 0, keep, this.#length);
    this.#textStart = Math.max(0, this.#textStart - keep);
    this.#view = null;
    this.#length -= keep;
    this.#scanned -= keep;
    this.#origin += keep;
    this.#matcher.anchors.now.start -= keep;
  }

  #askField(at: number): string | null {
    if (this.#view === null || at < this.#blockStart || at >= this.#blockStart + FIELD_BLOCK)
      this.#lookAround(at);
    return this.#context.fieldAt(this.#view!, at - this.#viewStart);
  }

  #lookAround(at: number): void {
    this.#blockStart = at - ((at + this.#origin) % FIELD_BLOCK);
    this.#viewStart = Math.max(this.#textStart, this.#blockStart - FIELD_BACK);
    const end = Math.min(this.#length, this.#blockStart + FIELD_BLOCK + FIELD_AHEAD);
    this.#view = this.#buffer.subarray(this.#viewStart, end);
  }

  #batch(spans: readonly Span[]): SpanBatch {
    return this.#columns.fill(spans, this.#buffer.subarray(0, this.#length), this.#origin);
  }
}

/** Several detectors may claim one start: a fixed order, whatever order they were found in. */
function byPlace(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end || a.detector - b.detector;
}
