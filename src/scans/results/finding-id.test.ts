import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatFindingId, parseFindingId } from './finding-id.ts';

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

test('a handle that was written is read as what it was', () => {
  fc.assert(
    fc.property(id, id, fc.nat(), (scan, object, n) => {
      expect(parseFindingId(formatFindingId({ scan, object, n }))).toEqual({ scan, object, n });
    }),
  );
});

test.each([
  '',
  '12',
  '12-873',
  '12-873-',
  '0-873-0',
  '12-0-0',
  '12-873-00',
  '12-873--1',
  '12-873-1e3',
  'a-b-c',
  '12-873-0-1',
])('"%s" is refused with a sentence that shows the form', (text) => {
  expect(() => parseFindingId(text)).toThrow(/is not the handle of a finding/);
});

test('a number beyond what is exact is refused', () => {
  expect(() => parseFindingId('1-99999999999999999-0')).toThrow(/not the handle/);
});
