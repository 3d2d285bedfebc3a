import { describe, expect, it } from 'vitest';
import { bech32Sum } from './bech32.ts';
import {
  base36Sum,
  base36SumChecks,
  base62Sum,
  base62SumChecks,
  crc32Hex,
  hexSum,
} from './token-checksum.ts';

describe('the checksum of GitHub and npm tokens', () => {
  // Pieces, so that no other scanner stumbles over this file.
  const published = ['zQWBuTSOoRi4A9s', 'pHcVY5ncnsDkxkJ', '0mLq17'].join('');

  it('holds for the token that is published with the description of the format', () => {
    expect(base62SumChecks(published)).toBe(true);
  });

  it('detects one changed character at any position', () => {
    for (let i = 0; i < published.length; i++) {
      const other = published[i] === 'a' ? 'b' : 'a';
      expect(base62SumChecks(published.slice(0, i) + other + published.slice(i + 1))).toBe(false);
    }
  });

  it('is padded with zeros', () => {
    expect(base62Sum('')).toBe('000000');
  });
});

describe('the checksum of GitLab’s routable tokens', () => {
  const before = `glpat-${'a'.repeat(27)}.0r`;

  it('is the last seven characters', () => {
    expect(base36Sum(before)).toMatch(/^[0-9a-z]{7}$/);
    expect(base36SumChecks(before + base36Sum(before))).toBe(true);
  });

  it('covers the prefix', () => {
    expect(base36SumChecks(`glrt-${(before + base36Sum(before)).slice(6)}`)).toBe(false);
  });
});

it('the checksum of Grafana’s tokens is that of the token in its own tests', () => {
  expect(hexSum(['glsa', 'yscW25imSKJIuav8zF37RZmnbiDvB05G'].join('_'))).toBe('fcaaf58a');
});

it('the checksum of age keys is that of the key in its test suite', () => {
  const data = `${'gfpyysjz'.repeat(6)}gfpq`;
  expect(bech32Sum('age-secret-key-', data)).toBe('4egaex');
});

it('the checksum of Zuplo’s keys is that of the key in its announcement', () => {
  expect(crc32Hex('b3f94d8d3d4d4a6ea5c5b20d0a5bb407')).toBe('18eb262b');
});
