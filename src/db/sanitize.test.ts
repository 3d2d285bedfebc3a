import { describe, expect, it } from 'vitest';
import { sanitizeBytes, sanitizeJson, sanitizeText, sanitizeTime } from './sanitize.ts';

describe('text', () => {
  it('keeps everything but the zero, which is shown as its picture', () => {
    expect(sanitizeText('a\0b')).toBe('a\u2400b');
    expect(sanitizeText('plain ☃')).toBe('plain ☃');
  });
});

describe('JSON', () => {
  it('keeps every value that jsonb accepts, also text that looks like an escape', () => {
    for (const text of ['plain', '\\u0000', '\\\\u0000', '\\ud800', '😀', '\u001f'])
      expect(JSON.parse(sanitizeJson({ text }))).toEqual({ text });
  });

  it('has neither zeros nor halves of characters, in keys as in values', () => {
    expect(JSON.parse(sanitizeJson({ 'a\0': ['\\\0', '\ud800', 'x\udfffy'] }))).toEqual({
      'a\u2400': ['\\\u2400', '\ufffd', 'x\ufffdy'],
    });
  });
});

describe('a number of bytes', () => {
  it('is kept where a bigint holds it', () => {
    for (const bytes of [0, 1, 2 ** 53 + 2, 2 ** 62]) expect(sanitizeBytes(bytes)).toBe(bytes);
  });

  it('is the nearest that a bigint holds', () => {
    for (const bytes of [2 ** 63, 1e300, Number.POSITIVE_INFINITY])
      expect(BigInt(sanitizeBytes(bytes))).toBe(2n ** 63n - 1024n);
    for (const bytes of [-1, Number.NaN, Number.NEGATIVE_INFINITY]) expect(sanitizeBytes(bytes)).toBe(0);
    expect(sanitizeBytes(1.5)).toBe(1);
  });
});

describe('a time', () => {
  it('is kept where both PostgreSQL and a Date hold it', () => {
    for (const ms of [0, -210_866_803_200_000, 8.64e15]) expect(sanitizeTime(ms)).toBe(ms);
  });

  it('is null otherwise', () => {
    for (const ms of [null, Number.NaN, 8.64e15 + 1, -210_866_803_200_001, Number.POSITIVE_INFINITY])
      expect(sanitizeTime(ms)).toBeNull();
  });
});
