import { TIERS, type Tier } from '../../governance/tier.ts';
import type { ObjectScore } from './known-object.ts';

const BARS = 10;

/** What all objects come to. */
export class Totals {
  /** With findings. */
  objects = 0;
  findings = 0;
  readonly tiers: Record<Tier, number> = { MINIMAL: 0, LOW: 0, MEDIUM: 0, HIGH: 0, CRITICAL: 0 };
  /** Objects by score: 0–9, 10–19, … 90–100. */
  readonly scores: number[] = new Array(BARS).fill(0);
  readonly types: Record<string, { objects: number; findings: number }> = {};
  /** Objects by policy that fires. */
  readonly policies: Record<string, number> = {};

  add(judgement: ObjectScore | null): void {
    if (judgement === null) return;
    this.objects++;
    if (judgement.tier !== null) this.tiers[judgement.tier]++;
    if (judgement.score !== null) this.scores[Math.min(BARS - 1, Math.floor(judgement.score / BARS))]!++;
    for (const policy of Object.keys(judgement.policies))
      this.policies[policy] = (this.policies[policy] ?? 0) + 1;
    for (const [detector, count] of Object.entries(judgement.counts)) this.#addType(detector, count);
  }

  /** From the worst down: objects of a tier. */
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
