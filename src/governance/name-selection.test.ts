import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameSelector } from './name-selection.ts';

const among = (include: string[], exclude: string[], name: string | null) =>
  nameSelector({ include, exclude })(name);

describe('a selection of names', () => {
  it.each([
    [[], [], 'ssn', true],
    [['ssn'], [], 'SSN', true],
    [['ssn'], [], 'ssn2', false],
    [['*_id'], [], 'customer_id', true],
    [['*_id'], [], '_id', true],
    [['*_id'], [], 'customer_ids', false],
    [['c*r*id'], [], 'customer_id', true],
    [['ab*ba'], [], 'aba', false],
    [['*'], [], '', true],
    [[], ['ssn'], 'ssn', false],
    [['s*'], ['ssn'], 'ssn', false],
    [['s*'], ['ssn'], 'sex', true],
  ])('include %j, exclude %j: %s is in it: %s', (include, exclude, name, selected) => {
    expect(among(include, exclude, name)).toBe(selected);
  });

  it('selects unnamed items only without an include list', () => {
    expect([among([], ['ssn'], null), among(['ssn'], [], null)]).toEqual([true, false]);
  });

  it('matches anything in place of a star, like the equivalent RegExp', () => {
    const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
    fc.assert(
      fc.property(text('ab*'), text('ab'), (pattern, name) => {
        const slow = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
        expect(among([pattern], [], name)).toBe(slow);
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the same results after its cache was cleared', () => {
    const selects = nameSelector({ include: ['n1*'], exclude: [] });
    const answers = () => Array.from({ length: 3000 }, (_, n) => selects(`n${n}`));
    expect(answers()).toEqual(answers());
  });
});
