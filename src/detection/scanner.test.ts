import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { catalogue } from './catalogue.ts';
import { REASON } from './reasons.ts';
import { NO_FIELDS, scanText } from './scan.fixture.ts';
import { createScanner } from './scanner.ts';
import type { TextContext } from './spans.ts';

vi.setConfig({ testTimeout: 60_000 });

const scanner = createScanner(catalogue);

function scan(text: string | Buffer, sizes: readonly number[] = [], context = NO_FIELDS, one = scanner) {
  return scanText(one, text, { sizes, context }).map((found) => ({
    ...found,
    id: catalogue[found.detector]!.id,
  }));
}

/** Every example of every detector with something in between: all types, all borders. */
const everything = catalogue
  .flatMap(({ examples }) => [...examples.match, ...examples.not])
  .map((example) => (typeof example === 'string' ? example : example.text))
  .map((text, n) => `${text}${n % 3 === 0 ? '\n' : n % 3 === 1 ? ' ; ' : ' and then some words\r\n'}`)
  .join('');

describe('a scanner that has been used before', () => {
  const near: TextContext = { fieldAt: () => null, fieldScope: 'near' };
  // Labels near and far, whole and cut by the lookbehind limit, in camel case and as words.
  const labelled = [
    'phoneHome',
    'homePhone',
    'countryCallingCode',
    'telephone',
    'Tel',
    'my phone number',
    'megaphone',
  ]
    .flatMap((label) =>
      [0, 9, 20, 33, 41, 44, 46, 60].map((far) => `${label}: ${'x '.repeat(far / 2)}2125550142\n`),
    )
    .join('');

  it('finds the same as a new one', () => {
    for (const text of [everything, labelled]) {
      const fresh = createScanner(catalogue);
      const first = scan(text, [], near, fresh);
      expect(first.length).toBeGreaterThan(10);
      expect(scan(text, [], near, fresh)).toEqual(first);
      expect(scan(text, [4096], near)).toEqual(first);
    }
  });

  it('finds a label that is part of a camel-case name', () => {
    const [found] = scan('phoneHome = 2125550142', [], near);
    expect(found).toMatchObject({ id: 'PHONE', value: '2125550142' });
  });
});

describe('chunk borders', () => {
  const long = `${everything}${'x'.repeat(9000)} ${'lorem ipsum 12 '.repeat(4000)}${everything.slice(0, 60_000)}`;
  // A field reader that reads as far as allowed: if chunking changed what it sees, the fields would differ.
  const looking: TextContext = { fieldAt: (window, at) => `${at}/${window.length}/${window[0]}` };
  const whole = scan(long, [], looking);

  it('do not change findings or their positions', () => {
    expect(whole.length).toBeGreaterThan(200);
    for (const size of [1, 7, 64, 4095, 4096, 4097, 65536])
      expect(scan(long, [size], looking)).toEqual(whole);
  });

  it('do not matter for random chunk sizes', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(sizes, (cut) => {
        expect(scan(long, cut, looking)).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  });

  it('allow empty chunks', () => {
    const ends: number[] = [];
    scanner.begin(NO_FIELDS, (spans) => ends.push(spans.end[0]!));
    for (const piece of ['jane@acme.exa', '', 'mple']) scanner.push(Buffer.from(piece));
    scanner.end();
    expect(ends).toEqual([17]);
  });
});

describe('the position of a value', () => {
  it('is given as line and column, from 1, in bytes', () => {
    const [first, second] = scan('é jane@acme.example\n\r\n  joe@acme.example');
    expect(first).toMatchObject({ line: 1, column: 4, start: 3 });
    expect(second).toMatchObject({ line: 3, column: 3, start: 25 });
  });

  it('is correct after a line longer than any window', () => {
    const found = scan(`\n${'word '.repeat(200_000)}jane@acme.example\njoe@acme.example`, [70_000]);
    expect(found.map(({ line, column }) => [line, column])).toEqual([
      [2, 1_000_001],
      [3, 1],
    ]);
  });

  it('is in the window, also for a value that ends at the last byte', () => {
    expect(scan('jane@acme.example')[0]!.value).toBe('jane@acme.example');
  });
});

describe('a scanner', () => {
  it('resets its state between parts', () => {
    scanner.begin(NO_FIELDS, () => {});
    scanner.push(Buffer.from('SSN '));
    expect(scan('536228741')).toEqual([]);
    expect(scan('SSN: 536228741')[0]).toMatchObject({ line: 1, column: 6 });
  });

  it('finds nothing in an empty text', () => {
    expect(scan('')).toEqual([]);
  });

  it('does not report matches below the threshold', () => {
    const strict = createScanner(catalogue, { minConfidence: 0.9 });
    expect(scan('4111 1111 1111 1111')[0]).toMatchObject({ id: 'CREDIT_CARD' });
    expect(scan('4111 1111 1111 1111', [], NO_FIELDS, strict)).toEqual([]);
    expect(scan('4539 1488 0343 6467', [], NO_FIELDS, strict)).toHaveLength(1);
  });

  it('marks the documented test numbers as test values', () => {
    const [card] = scan('4242424242424242');
    expect(card!.reasons & REASON.testValue).not.toBe(0);
    expect(card!.confidence).toBeCloseTo(0.6);
  });

  it('passes on the field of a finding', () => {
    const context: TextContext = { fieldAt: (window, at) => (window[at] === 0x35 ? 'employee_ssn' : null) };
    expect(scan('536228741', [], context)).toMatchObject([{ id: 'SSN', field: 'employee_ssn' }]);
  });

  it('finds a key longer than its window by its beginning', () => {
    const body = 'MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEA\n'.repeat(200);
    const found = scan(`-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----\njane@acme.example`);
    expect(found[0]).toMatchObject({ id: 'PRIVATE_KEY', start: 0 });
    expect(found.at(-1)).toMatchObject({ id: 'EMAIL', line: 203 });
  });
});
