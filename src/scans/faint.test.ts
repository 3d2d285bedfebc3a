import { expect, it } from 'vitest';
import { keyOf } from '../base/key.ts';
import { type FaintObject, packFaint, unpackFaint } from './faint.ts';

it('objects with values below the threshold come back as they were, whatever bytes their keys have', () => {
  const objects: FaintObject[] = [
    { key: keyOf('a/ümlaut "x".txt'), levels: { EMAIL: { 45: 2 } } },
    {
      key: 'b\xff\x00' as FaintObject['key'],
      levels: { IBAN: { 35: 1 } },
      contests: { IBAN: { 35: { PHONE: [30] } } },
    },
  ];
  expect(unpackFaint(packFaint(objects))).toEqual(objects);
});

it('nothing takes no room', () => {
  expect(packFaint([])).toBeNull();
  expect(unpackFaint(null)).toEqual([]);
});

it('an object of an ordinary name takes some dozen bytes', () => {
  const objects = Array.from({ length: 1000 }, (_, n) => ({
    key: keyOf(`share/department/letters/2024/letter-${n}.txt`),
    levels: { NAME: { 40: (n % 7) + 1 } },
  }));
  expect(packFaint(objects)!.length / 1000).toBeLessThan(40);
});
