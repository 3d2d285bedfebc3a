import { expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { decodeSubThreshold, encodeSubThreshold, type SubThresholdObject } from './sub-threshold.ts';

it('objects with values below the threshold come back as they were, whatever bytes their keys have', () => {
  const objects: SubThresholdObject[] = [
    { key: keyOf('a/ümlaut "x".txt'), confidenceHistogram: { EMAIL: { 45: 2 } } },
    {
      key: 'b\xff\x00' as SubThresholdObject['key'],
      confidenceHistogram: { IBAN: { 35: 1 } },
      overlapCounts: { IBAN: { 35: { PHONE: [30] } } },
    },
  ];
  expect(decodeSubThreshold(encodeSubThreshold(objects))).toEqual(objects);
});

it('nothing takes no room', () => {
  expect(encodeSubThreshold([])).toBeNull();
  expect(decodeSubThreshold(null)).toEqual([]);
});

it('an object of an ordinary name takes some dozen bytes', () => {
  const objects = Array.from({ length: 1000 }, (_, n) => ({
    key: keyOf(`share/department/letters/2024/letter-${n}.txt`),
    confidenceHistogram: { NAME: { 40: (n % 7) + 1 } },
  }));
  expect(encodeSubThreshold(objects)!.length / 1000).toBeLessThan(40);
});
