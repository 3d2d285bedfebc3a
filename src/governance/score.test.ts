import { describe, expect, it } from 'vitest';
import { type Exposure, scoreObject } from './score.ts';
import type { Tier } from './tier.ts';
import { DEFAULT_WEIGHTS, weightOf, withOverrides } from './weights.ts';

type Vector = [
  found: string,
  confidence: number,
  exposure: Exposure,
  score: number,
  tier: Tier,
  rule: string | null,
];

const VECTORS: Vector[] = [
  ['EMAIL 1', 0.9, 'PRIVATE', 22, 'LOW', null],
  ['EMAIL 25', 0.9, 'PRIVATE', 91, 'CRITICAL', null],
  ['EMAIL 4000', 0.6, 'PRIVATE', 100, 'CRITICAL', null],
  ['PHONE 2', 0.75, 'INTERNAL', 37, 'MEDIUM', null],
  ['SSN 1', 0.85, 'PRIVATE', 34, 'MEDIUM', null],
  ['SSN 1', 1, 'PUBLIC', 100, 'CRITICAL', null],
  ['SSN 7', 0.6, 'PRIVATE', 71, 'HIGH', null],
  ['NAME 12', 0.4, 'PRIVATE', 28, 'LOW', null],
  ['NAME 1', 0.55, 'PRIVATE', 11, 'LOW', null],
  ['IP_ADDRESS 300', 0.8, 'PRIVATE', 100, 'CRITICAL', null],
  ['VIN 1', 0.95, 'ORG_WIDE', 34, 'MEDIUM', null],
  ['ORGANIZATION 1', 1, 'PRIVATE', 4, 'MINIMAL', null],
  ['CITY 3', 0.5, 'PUBLIC', 21, 'LOW', null],
  ['NO_SUCH_TYPE 4', 0.7, 'PRIVATE', 33, 'MEDIUM', null],
  ['JWT 1', 0.9, 'PRIVATE', 49, 'MEDIUM', 'credential_exposure'],
  ['PASSWORD 1', 0.65, 'PRIVATE', 39, 'MEDIUM', 'credential_exposure'],
  ['PASSWORD 2', 0.9, 'ORG_WIDE', 100, 'CRITICAL', 'credential_exposure'],
  ['SSN 1, NPI 1', 0.6, 'PRIVATE', 86, 'CRITICAL', 'hipaa_phi'],
  ['SSN 1, IBAN 1', 0.5, 'PRIVATE', 61, 'HIGH', 'identity_theft'],
  ['SSN 1, NAME 1, IBAN 1', 0.4, 'PRIVATE', 77, 'HIGH', 'full_identity'],
  ['NAME 2, NPI 1', 0.5, 'PRIVATE', 49, 'MEDIUM', 'phi_without_id'],
  ['EMAIL 1, DEA 1', 0.55, 'INTERNAL', 52, 'MEDIUM', 'phi_with_contact'],
  ['EMAIL 1, PHONE 1, ADDRESS 1', 0.5, 'PRIVATE', 34, 'MEDIUM', null],
  ['CLASSIFICATION_LEVEL 1', 0.9, 'PRIVATE', 36, 'MEDIUM', 'classified_data'],
  ['JWT 1, NAME 1, NPI 1', 0.3, 'PRIVATE', 40, 'MEDIUM', 'credential_exposure'],
  ['API_KEY 1, CLASSIFICATION_MARKING 1', 0.3, 'PRIVATE', 45, 'MEDIUM', 'classified_data'],
  ['MRN 1, EMAIL 3, NAME 3', 0.45, 'PRIVATE', 58, 'HIGH', null],
  ['CREDIT_CARD 50', 0.3, 'PRIVATE', 59, 'HIGH', null],
  ['NINO 1, ABA_ROUTING 1', 0.5, 'PRIVATE', 54, 'MEDIUM', 'identity_theft'],
  ['SLACK_WEBHOOK 1', 0.7, 'PRIVATE', 34, 'MEDIUM', 'credential_exposure'],
  ['MEDICARE_ID 1, PHONE 1', 0.5, 'PRIVATE', 42, 'MEDIUM', 'phi_with_contact'],
  ['AGE 1, ZIP 1, DATE 1', 0.8, 'INTERNAL', 38, 'MEDIUM', null],
  ['STATE 1, FACILITY 2', 0.9, 'PRIVATE', 13, 'LOW', null],
];

function typesOf(found: string, confidence: number) {
  return found.split(', ').map((item) => {
    const [detector, count] = item.split(' ');
    return { detector: detector!, count: Number(count), confidence };
  });
}

describe('scoreObject', () => {
  it.each(VECTORS)('%s at %d, %s, scores %d', (found, confidence, exposure, score, tier, rule) => {
    const result = scoreObject(typesOf(found, confidence), DEFAULT_WEIGHTS, exposure);
    expect([result.score, result.tier, result.multiplier?.rule ?? null]).toEqual([score, tier, rule]);
  });

  it('is 0 for an object without findings', () => {
    expect(scoreObject([], DEFAULT_WEIGHTS)).toEqual({
      score: 0,
      tier: 'MINIMAL',
      content: 0,
      parts: [],
      multiplier: null,
    });
  });

  it('decides the tier before rounding: a HIGH of 79.6 is shown as 80', () => {
    const { score, tier } = scoreObject(
      [{ detector: 'SSN', count: 1, confidence: 0.995 }],
      weigh({ SSN: 20 }),
    );
    expect([score, tier]).toEqual([80, 'HIGH']);
  });

  it.each([
    [12.5, 12],
    [13.5, 14],
  ])('rounds %d to the even side', (exact, score) => {
    const result = scoreObject([{ detector: 'SSN', count: 1, confidence: 1 }], weigh({ SSN: exact / 4 }));
    expect(result.score).toBe(score);
  });

  it('caps the content before the exposure multiplies it', () => {
    const result = scoreObject([{ detector: 'SSN', count: 1000, confidence: 1 }], DEFAULT_WEIGHTS, 'PUBLIC');
    expect([result.content, result.score]).toEqual([100, 100]);
  });

  it('lists the points of each type, with its own confidence, so that a score can be explained', () => {
    const { parts, content } = scoreObject(
      [
        { detector: 'EMAIL', count: 1, confidence: 0.5 },
        { detector: 'ZIP', count: 1, confidence: 1 },
      ],
      DEFAULT_WEIGHTS,
    );
    expect(parts).toEqual([
      { detector: 'EMAIL', count: 1, confidence: 0.5, weight: 6, points: 12 },
      { detector: 'ZIP', count: 1, confidence: 1, weight: 3, points: 12 },
    ]);
    expect(content).toBe(24);
  });

  it('never scores lower when there is more of a type', () => {
    const scores = [1, 2, 3, 10, 100, 1e6].map(
      (count) => scoreObject([{ detector: 'DATE', count, confidence: 0.5 }], DEFAULT_WEIGHTS).content,
    );
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  });
});

describe('withOverrides', () => {
  it('changes the weight and keeps the category, so the rules still apply', () => {
    const weights = weigh({ PASSWORD: 2 });
    expect(weightOf(weights, 'PASSWORD')).toEqual({ weight: 2, category: 'credential' });
    expect(weightOf(DEFAULT_WEIGHTS, 'PASSWORD').weight).toBe(10);
  });

  it('can set the weight of a type that is not in the table', () => {
    expect(weightOf(weigh({ BADGE_NUMBER: 8 }), 'BADGE_NUMBER')).toEqual({ weight: 8, category: null });
  });
});

function weigh(overrides: Record<string, number>) {
  return withOverrides(DEFAULT_WEIGHTS, overrides);
}
