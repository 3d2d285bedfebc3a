import type { Span } from './matcher.ts';
import { PROOF } from './reasons.ts';

/**
 * A value never appears under two names. Of spans that touch the same byte the stronger stays: what is reported over what
 * is not, proof (checksum, issuer, decoded structure) over mere pattern, then longer over shorter, then specific over general,
 * which is the standing of their detectors. The others are remembered as contesting it. Spans come in order of their start; a chain of spans that overlap one another is settled together.
 */
export class OverlapResolver {
  #chain: Span[] = [];
  #chainEnd = 0;
  #seamless = 0; // since there some span crosses every place
  #reach = 0; // where all spans so far have ended
  #last = 0; // start of the last span

  /** A chain of this many is settled as it is: hostile input must not make us remember without bound. */
  static readonly MAX_CHAIN_LENGTH = 64;

  /**
   * The text in fixed cells. Where spans overlap without a seam through a whole cell (only hostile input does that) the
   * chain ends with the cell, and a value across that border may have two names. So what is kept at a place depends
   * on little before it, and a scan may begin anywhere.
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

  /** Nothing will start before `at` any more: a chain that ends there is complete. */
  advanceTo(at: number, out: Span[]): void {
    if (this.#chainEnd <= at) this.resolve(out, 0);
  }

  /** Where the bytes begin that are still needed, or null. */
  get pendingFrom(): number | null {
    return this.#chain[0]?.start ?? null;
  }

  /** Settles the chain; what it keeps beyond `nextStart` still rules over the span to come. */
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

/** Of the same detector only a surer value: by another threshold it would be the one. */
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
