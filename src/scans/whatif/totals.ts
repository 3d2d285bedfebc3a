import { TIERS, type Tier } from '../../governance/tier.ts';
import type { ObjectScore } from './known-object.ts';

const BARS = 10;

/** The totals of all objects. */
export class Totals {
  /** With findings. */
  objects = 0;
  findings = 0;
  readonly tiers: Record<Tier, number> = { MINIMAL: 0, LOW: 0, MEDIUM: 0, HIGH: 0, CRITICAL: 0 };
  /** Objects by score: 0–9, 10–19, … 90–100. */
  readonly scores: number[] = new Array(BARS).fill(0);
  readonly types: Record<string, { objects: number; findings: number }> = {};
  /** Objects by matching policy. */
  readonly policies: Record<string, number> = {};

  add(result: ObjectScore | null): void {
    if (result === null) return;
    this.objects++;
    if (result.tier !== null) this.tiers[result.tier]++;
    if (result.score !== null) this.scores[Math.min(BARS - 1, Math.floor(result.score / BARS))]!++;
    for (const policy of Object.keys(result.policies))
      this.policies[policy] = (this.policies[policy] ?? 0) + 1;
    for (const [detector, count] of Object.entries(result.counts)) this.#addType(detector, count);
  }

  /** Tiers from the worst down, with their number of objects. */
  get worstFirst(): (readonly [Tier, number])[] {
    return TIERS.toReversed().map((tier) => [tier, this.tiers[tier]] as const);
  }

  #addType(detector: string, count: number): void {
    this.findings += count;
    this.types[detector] ??= { objects: 0, findings: 0 };
    this.types[detector].objects++;
    this.types[detector].findings += count;
  }
}
