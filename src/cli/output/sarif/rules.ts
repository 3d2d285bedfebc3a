import type { TypeRisk } from '../../../scans/results/report.ts';

/** Remediation by category. The help text is included so that it is available offline. */
const ADVICE: Readonly<Record<string, string>> = {
  credential: 'Revoke or rotate it first, then remove it and check who had access to it.',
  financial:
    'Check whether this location may hold payment or account data; if not, move, truncate or tokenise it.',
  health_info:
    'Check who has access and whether this location is approved for health data; restrict or move it.',
  direct_identifier: 'Check whether it is needed here; restrict access, pseudonymise or delete it.',
};
const GENERAL_ADVICE =
  'Check whether it is needed here and who can read it; restrict access, move or delete it.';

/** The rules of a run: those of the report, and any other named by its findings. */
export class RuleIndex {
  readonly #categories = new Map<string, string>();
  readonly #indexes = new Map<string, number>();

  constructor(types: readonly Pick<TypeRisk, 'detector' | 'category'>[]) {
    for (const { detector, category } of types) this.indexOf(detector, category);
  }

  indexOf(detector: string, category: string): number {
    const known = this.#indexes.get(detector);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(detector, index);
    this.#categories.set(detector, category);
    return index;
  }

  descriptors(): Record<string, unknown>[] {
    return [...this.#categories].map(([detector, category]) => descriptor(detector, category));
  }
}

function descriptor(detector: string, category: string): Record<string, unknown> {
  const advice = ADVICE[category] ?? GENERAL_ADVICE;
  const kind = category.replaceAll('_', ' ');
  const falsePositive = 'If it is a false positive, suppress it with seine suppress.';
  return {
    id: detector,
    name: detector,
    shortDescription: { text: `${detector} found` },
    fullDescription: {
      text: `The object holds data of type ${detector} (${kind}). Values are shown masked.`,
    },
    help: {
      text: `${advice} ${falsePositive}`,
      markdown: `**${detector}** (${kind})\n\n${advice}\n\n${falsePositive}`,
    },
    properties: { category, tags: ['security', category] },
  };
}
