import { describe, expect, it } from 'vitest';
import { decoderOf } from './code-page.ts';

describe('code pages', () => {
  it.each([
    [1252, [0x80, 0xe4], '€ä'],
    [1251, [0xcf, 0xf0], 'Пр'],
    [932, [0x93, 0xfa, 0x96, 0x7b], '日本'],
    [65001, [0xc3, 0xa4], 'ä'],
    [28592, [0xb1], 'ą'],
    [10000, [0x8a], 'ä'],
    [437, [0x41], 'A'],
    [-5, [0x41, 0x93], 'A“'],
  ])('%d', (codePage, bytes, text) => {
    expect(decoderOf(codePage).decode(Uint8Array.from(bytes))).toBe(text);
  });

  it('are all known to the decoder', () => {
    const pages = [708, 866, 874, 936, 949, 950, 1200, 1201, 1361, 10007, 20866, 20932, 21866, 50220, 51932];
    for (const page of [...pages, 54936]) expect(decoderOf(page).encoding).not.toBe('windows-1252');
    for (let page = 28591; page <= 28606; page++)
      expect(decoderOf(page).decode(Buffer.from('ok'))).toBe('ok');
  });
});
