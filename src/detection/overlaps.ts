import type { Span } from './matcher.ts';
import { PROOF } from './reasons.ts';

/**
 * Resolves overlaps, so that a value is never reported twice. Of spans that share a byte the stronger is kept: reported over below
 * threshold, proof (checksum, issuer, decoded structure) over mere pattern, then longer over shorter, then by rank of the detectors. The
 * others are recorded as its losers. Spans arrive in order of their start; a chain of overlapping spans is resolved together.
 */
export class OverlapResolver {
  #chain: Span[] = [];
  #chainEnd = 0;
  #seamless = 0; // from here on every position is inside a span
  #reach = 0; // the maximum end of all spans so far
  #last = 0; // start of the last span

  /** A chain of this length is resolved as it is; otherwise hostile input could grow memory without bound. */
  static readonly MAX_CHAIN_LENGTH = 64;

  /**
   * Divides the text into fixed cells. If spans overlap without a gap through a whole cell (only hostile input does that), the chain ends
   * with the cell, and a value across that border may be reported twice. So the result at a position depends on a bounded part of the
   * text before it, and a scan may begin anywhere.
   */
  static readonly CELL = 16 * 1024;

  add(span: Span, out: Span[]): void {
    if (this.#endsCell(span)) this.resolve(out, 0);
    if (span.start >= this.#chainEnd || this.#chain.length === OverlapResolver.MAX_CHAIN_LENGTH)
      this.resolve(out, span.start);
    this.#chain.push(span);
    this.#chainEnd = Math.max(this.#chainEnd, span.end);
  }

  #endsCell({ start, end }: Span): boolean {
    if (start >= this.#reach) this.#seamless = start;
    const border = start - (start % OverlapResolver.CELL);
    const ends = this.#last < border && this.#seamless <= border - OverlapResolver.CELL;
    this.#reach = Math.max(this.#reach, end);
    this.#last = start;
    return ends;
  }

  /** No span will start before `at` any more, so chains that end there are complete. */
  advanceTo(at: number, out: Span[]): void {
    if (this.#chainEnd <= at) this.resolve(out, 0);
  }

  /** The start of the bytes that are still needed, or null. */
  get pendingFrom(): number | null {
    return this.#chain[0]?.start ?? null;
  }

  /** Resolves the chain. A kept span that extends beyond `nextStart` still takes part in the next chain. */
  resolve(out: Span[], nextStart: number): void {
    const chain = this.#chain;
    const kept = chain.length < 2 ? chain : resolveChain(chain);
    this.#chain = [];
    this.#chainEnd = 0;
    const last = kept.at(-1);
    if (last !== undefined && nextStart > 0 && last.end > nextStart) {
      kept.pop();
      this.#chain.push(last);
      this.#chainEnd = last.end;
    }
    for (const span of kept) out.push(span);
  }
}

function resolveChain(chain: Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of chain.sort(byStrength)) {
    const stronger = kept.find((other) => span.start < other.end && other.start < span.end);
    if (stronger === undefined) kept.push(span);
    else addLoser(stronger, span);
  }
  return kept.sort((a, b) => a.start - b.start);
}

/** Of the same detector only a match with higher confidence is recorded: another threshold could make it the winner. */
function addLoser(span: Span, { detector, confidence }: Span): void {
  if (detector === span.detector && confidence <= span.confidence) return;
  const known = span.overlapped?.some((one) => one.detector === detector && one.confidence === confidence);
  if (known) return;
  span.overlapped ??= [];
  span.overlapped.push({ detector, confidence });
}

function byStrength(a: Span, b: Span): number {
  return (
    Number(b.reported) - Number(a.reported) ||
    Number(b.wholeCell ?? false) - Number(a.wholeCell ?? false) ||
    proofs(b) - proofs(a) ||
    b.end - b.start - (a.end - a.start) ||
    a.rank - b.rank ||
    b.confidence - a.confidence ||
    a.detector - b.detector ||
    a.start - b.start
  );
}

function proofs(span: Span): number {
  return (span.reasons & PROOF) === 0 ? 0 : 1;
}
