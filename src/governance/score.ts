/**
 * The risk score of an object, from 0 to 100: each type adds points that grow with the logarithm of its
 * count; combinations of types that are more severe together multiply the sum, and so does the exposure.
 * The order of the floating-point operations is part of the contract: another order changes the last bit,
 * and sometimes the tier.
 */
import { type Tier, tierOf } from './tier.ts';
import { type RiskCategory, type Weights, weightOf } from './weights.ts';

/** A type found in an object. `confidence` is the highest of its findings. */
export interface TypeCount {
  readonly detector: string;
  readonly count: number;
  readonly confidence: number;
  /** Of `count`: names and addresses of authors, which are published. */
  readonly authorship?: number;
  /** Of `count`: documented test values and the like, which no person has. */
  readonly example?: number;
}

export interface ScorePart extends TypeCount {
  readonly weight: number;
  readonly points: number;
}

export interface Score {
  /** Rounded for display; the tier is determined before rounding. */
  readonly score: number;
  readonly tier: Tier;
  /** Points of all types times the multiplier, at most 100, before the exposure. */
  readonly content: number;
  readonly parts: readonly ScorePart[];
  readonly multiplier: { readonly rule: string; readonly factor: number } | null;
}

const EXPOSURES = { PRIVATE: 1, INTERNAL: 1.2, ORG_WIDE: 1.8, PUBLIC: 2.5 };
export type Exposure = keyof typeof EXPOSURES;

const POINTS_PER_WEIGHT = 4;
const MAX_SCORE = 100;
/** Weight of an author compared with any other person. */
const AUTHOR_WEIGHT = 0.1;

interface CoOccurrence {
  readonly rule: string;
  readonly factor: number;
  readonly needs: readonly RiskCategory[];
}

const CO_OCCURRENCES: readonly CoOccurrence[] = [
  { rule: 'hipaa_phi', factor: 2, needs: ['direct_identifier', 'health_info'] },
  { rule: 'identity_theft', factor: 1.8, needs: ['direct_identifier', 'financial'] },
  { rule: 'credential_exposure', factor: 1.5, needs: ['credential'] },
  { rule: 'phi_without_id', factor: 1.5, needs: ['quasi_identifier', 'health_info'] },
  { rule: 'phi_with_contact', factor: 1.4, needs: ['contact', 'health_info'] },
  { rule: 'full_identity', factor: 2.2, needs: ['direct_identifier', 'quasi_identifier', 'financial'] },
  { rule: 'classified_data', factor: 2.5, needs: ['classification_marking'] },
];

export function scoreObject(
  types: readonly TypeCount[],
  weights: Weights,
  exposure: Exposure = 'PRIVATE',
): Score {
  const parts = types.map((type) => partOf(type, weights));
  const multiplier = largestMultiplier(types, weights);
  const points = parts.reduce((sum, part) => sum + part.points, 0);
  const content = Math.min(MAX_SCORE, points * (multiplier?.factor ?? 1));
  const exact = Math.min(MAX_SCORE, content * EXPOSURES[exposure]);
  return { score: roundHalfEven(exact), tier: tierOf(exact), content, parts, multiplier };
}

function partOf(type: TypeCount, weights: Weights): ScorePart {
  const { weight } = weightOf(weights, type.detector);
  const { others, authors } = split(type);
  const growth = growthOf(others) + AUTHOR_WEIGHT * growthOf(authors);
  return { ...type, weight, points: weight * POINTS_PER_WEIGHT * growth * type.confidence };
}

/** Examples don't count. Where most persons are authors, those that are not marked are taken for authors, too. */
function split({ count, authorship = 0, example = 0 }: TypeCount): { others: number; authors: number } {
  const persons = count - example;
  if (authorship * 2 >= persons) return { others: 0, authors: persons };
  return { others: persons - authorship, authors: authorship };
}

function growthOf(count: number): number {
  return count === 0 ? 0 : 1 + Math.log(count);
}

/** Only the largest multiplier counts, they don't add up; of equal ones the first of the table is named. */
function largestMultiplier(types: readonly TypeCount[], weights: Weights): Score['multiplier'] {
  const counting = types.filter((type) => split(type).others > 0);
  const present = new Set(counting.map((type) => weightOf(weights, type.detector).category));
  let largest: Score['multiplier'] = null;
  for (const { rule, factor, needs } of CO_OCCURRENCES) {
    if (factor > (largest?.factor ?? 1) && needs.every((category) => present.has(category))) {
      largest = { rule, factor };
    }
  }
  return largest;
}

/** 12.5 → 12, 13.5 → 14: rounds half to even, so that rounding does not bias the mean. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
