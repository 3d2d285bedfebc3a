import { describe, expect, it } from 'vitest';
import { displayKey, type Key, keyOf } from '../../base/key.ts';
import { NameMasker } from './name-masker.ts';

const secret = Buffer.alloc(32, 7);
const names = new NameMasker(secret);

const VALUES = [
  '219-73-8264',
  '4539578763621486',
  'john.doe@acme-corp.com',
  'AKIAQZXW7CANARY5LMNP',
  'DE89370400440532013000',
  'ghp_c4N9aRyZq82LmXw7TbVe51KdHs06UoPjRiGf',
  '+1 (415) 555-2671',
];
const NAMES = VALUES.flatMap((value) => [
  value,
  `${value}.txt`,
  `hr/${value}.txt`,
  `hr/${value}/scan of it.pdf`,
  `a.zip!in/${value}/b.csv`,
]);

describe('a name that holds a value', () => {
  it.each(NAMES)('%s is shown without it', (name) => {
    const value = VALUES.find((one) => name.includes(one))!;
    expect(names.name(name)).not.toContain(value);
    expect(names.name(name)).toMatch(/•.*~[0-9a-f]{8}/);
    expect(names.message(`${name} cannot be read.`)).not.toContain(value);
  });

  it.each(NAMES)('%s is stored without it, sorts before its position, and is restored', (name) => {
    const key = keyOf(name);
    const stored = names.seal(key);
    const value = VALUES.find((one) => name.includes(one))!;
    expect(stored).not.toContain(value);
    expect(stored < key).toBe(true);
    expect(displayKey(stored)).toBe(names.name(name));
    expect(names.open(stored)).toBe(key);
    expect(new NameMasker(secret).seal(key)).toBe(stored);
  });

  it.each(['card-4539-5787-6362-1486.pdf', 'ssn-219-73-8264-old.pdf', 'phone-415-555-2671.vcf'])(
    '%s is shown without it, though a hyphen joins it to a word',
    (name) => {
      expect(names.name(name)).toMatch(/-•|-4539-•/);
    },
  );

  it('is distinguished from one with another value, and a folder has one name', () => {
    const [a, b] = ['hr/219-73-8264/a.txt', 'hr/219-74-8264/a.txt'].map((name) => names.name(name));
    expect(a).not.toBe(b);
    expect(names.name('hr/219-73-8264/b.txt').split('/')[1]).toBe(a!.split('/')[1]);
  });

  it('is found in the bound of a shard behind it', () => {
    for (const behind of ['0', '\xff'.repeat(256), '\x80', '/\xff\xff'])
      for (const value of VALUES) {
        const bound = `x/${value}${behind}` as Key;
        expect(names.seal(bound)).not.toContain(value);
        expect(names.open(names.seal(bound))).toBe(bound);
      }
  });

  it('is truncated when it is very long, never inside a value, and stays distinct', () => {
    const token = 'ghp_c4N9aRyZq82LmXw7TbVe51KdHs06UoPjRiGf';
    for (let at = 4040; at < 4110; at++) {
      const shown = names.name(`${'a '.repeat(at / 2)} ${token} ${'b '.repeat(9000)}`);
      expect(shown.length).toBeLessThan(4300);
      expect(shown).toMatch(/…~[0-9a-f]{8}$/);
      expect(shown).not.toContain(token.slice(5, 20));
    }
    const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJ${'Ab1'.repeat(1200)}.${'Zx9'.repeat(14)}`;
    for (const at of [300, 2000, 3990, 4060])
      expect(names.name(`${'a '.repeat(at / 2)} ${jwt} ${'b '.repeat(9000)}`)).not.toContain('Ab1Ab1');
    const [a, b] = ['x', 'y'].map((end) => names.name('a '.repeat(5000) + end));
    expect(a).not.toBe(b);
  });

  it('is not opened with another secret', () => {
    const stored = names.seal(keyOf('hr/219-73-8264.txt'));
    expect(() => new NameMasker(Buffer.alloc(32, 8)).open(stored)).toThrow('fingerprint key');
  });
});

describe('every other name', () => {
  it.each([
    '',
    'invoices/2024-01-05/smith.pdf',
    'John Smith.pdf',
    'photos/IMG_20240105_123456.jpg',
    'd41d8cd98f00b204e9800998ecf8427e.json',
    'v1.2.3.4/192.168.1.1.log',
    '550e8400-e29b-41d4-a716-446655440000',
    'node_modules/@babel/core/index.js',
    'part-00000-c000.snappy.parquet',
    'naïve/日本語.txt',
  ])('%s stays as it is', (name) => {
    expect(names.name(name)).toBe(name);
    expect(names.seal(keyOf(name))).toBe(keyOf(name));
  });

  it('is restored, even if it looks like a sealed key', () => {
    for (const odd of ['\0', 'a\0~b\0cc', '\0~\0x', 'a\0~', 'x\0', '\0~\0AAAA\0']) {
      expect(names.open(names.seal(odd as Key))).toBe(odd);
    }
  });
});
