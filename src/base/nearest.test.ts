import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

const NAMES = ['SSN', 'EMAIL', 'CREDIT_CARD', 'AWS_ACCESS_KEY', 'AWS_SECRET_KEY', 'PHONE'];

describe('nearest', () => {
  it.each([
    ['EMIAL', ['EMAIL']],
    ['email', ['EMAIL']],
    ['card', ['CREDIT_CARD']],
    ['AWS', ['AWS_ACCESS_KEY', 'AWS_SECRET_KEY']],
    ['FONE', []],
    ['CRDIT_CRD', ['CREDIT_CARD']],
    ['', []],
  ])('%s is near %j', (word, names) => {
    expect(nearest(word, NAMES)).toEqual(names);
  });

  it('returns no more than the limit', () => {
    expect(nearest('AWS', NAMES, 1)).toEqual(['AWS_ACCESS_KEY']);
  });
});

describe('didYouMean', () => {
  it('joins what is near into a question', () => {
    expect(didYouMean('KEY', NAMES, '-')).toBe('did you mean AWS_ACCESS_KEY or AWS_SECRET_KEY?');
  });

  it('falls back when nothing is near', () => {
    expect(didYouMean('x'.repeat(100_000), NAMES, 'see the list')).toBe('see the list');
  });
});
