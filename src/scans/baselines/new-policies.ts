/** Collects the policies that match new findings, object by object. */
import type { PolicyMatches } from '../../governance/policies/evaluate.ts';
import type { ObjectRisk, PolicyHits } from '../results/report.ts';

const WORST = 3;

type ScoredObject = ObjectRisk & { readonly points: number };

interface Hits {
  objects: number;
  readonly because: Record<string, number>;
  worst: ScoredObject[];
}

export class NewPolicyHits {
  readonly #hits = new Map<string, Hits>();

  add(object: ScoredObject): void {
    for (const [policy, detectors] of Object.entries<PolicyMatches[string]>(object.policies)) {
      const hits = this.#hits.get(policy) ?? { objects: 0, because: {}, worst: [] };
      this.#hits.set(policy, hits);
      hits.objects++;
      for (const detector of detectors)
        hits.because[detector] = (hits.because[detector] ?? 0) + (object.counts[detector] ?? 0);
      hits.worst = [...hits.worst, object].sort((a, b) => b.points - a.points).slice(0, WORST);
    }
  }

  /** Sorted by number of objects, descending; titles are those of the whole report, where it has them. */
  list(whole: readonly PolicyHits[]): PolicyHits[] {
    const titles = new Map(whole.map(({ policy, title }) => [policy, title]));
    return [...this.#hits]
      .map(([policy, { objects, because, worst }]) => ({
        policy,
        title: titles.get(policy) ?? policy,
        objects,
        because: Object.fromEntries(Object.entries(because).sort(([, a], [, b]) => b - a)),
        worst: worst.map(({ key, tier }) => ({ key, tier })),
      }))
      .sort((a, b) => b.objects - a.objects || (a.policy < b.policy ? -1 : 1));
  }
}
