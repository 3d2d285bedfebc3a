import { describe, expect, it } from 'vitest';
import { keyFromBytes, keyOf } from '../../base/key.ts';
import { keyJson, roundConfidence } from './finding-json.ts';

describe('a key in JSON', () => {
  it('is the name itself where it can be', () => {
    expect(keyJson(keyOf('Köln/名.txt'))).toEqual({ key: 'Köln/名.txt' });
  });

  it('has its bytes beside it where the shown name is not the name', () => {
    const latin1 = keyFromBytes(Buffer.from('caf\xe9', 'latin1'));
    expect(keyJson(latin1)).toEqual({ key: 'caf\\xe9', keyHex: '636166e9' });
    expect(keyJson(keyOf('a\nb'))).toEqual({ key: 'a\\nb', keyHex: '610a62' });
    expect(keyJson(keyOf('a\\b'))).toEqual({ key: 'a\\\\b', keyHex: '615c62' });
  });
});

describe('a confidence', () => {
  it('loses what a 32-bit float added', () => {
    expect(roundConfidence(Math.fround(0.9))).toBe(0.9);
  });
});
