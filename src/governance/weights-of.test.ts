import { describe, expect, it } from 'vitest';
import { catalogue } from '../detection/catalogue.ts';
import { customRule } from './rules.fixture.ts';
import { DEFAULT_WEIGHTS, weightOf } from './weights.ts';
import { weightsOf } from './weights-of.ts';

describe('the weights under a rule set', () => {
  it('are those of the table, then the risk of the detector', () => {
    const weights = weightsOf({ custom: [], weights: {} });
    expect(weightOf(weights, 'SSN')).toEqual({ weight: 10, category: 'direct_identifier' });
    const other = catalogue.find(({ id }) => !DEFAULT_WEIGHTS.has(id))!;
    expect(weightOf(weights, other.id).weight).toBe(other.risk);
    expect(catalogue.filter(({ id }) => !weights.has(id))).toEqual([]);
  });

  it('are those of custom detectors, unless the rules override them', () => {
    const custom = [customRule({ risk: 8 })];
    expect(weightOf(weightsOf({ custom, weights: {} }), 'EMPLOYEE')).toEqual({
      weight: 8,
      category: 'quasi_identifier',
    });
    expect(weightOf(weightsOf({ custom, weights: { EMPLOYEE: 1, SSN: 2 } }), 'EMPLOYEE').weight).toBe(1);
  });

  it('have no scoring category where no rule of the score has one', () => {
    const custom = [customRule({ category: 'government' })];
    expect(weightOf(weightsOf({ custom, weights: {} }), 'EMPLOYEE').category).toBeNull();
  });
});
