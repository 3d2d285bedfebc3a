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

/** Every example of every detector with something in between: all kinds, all borders. */
const everything = catalogue
  .flatMap(({ examples }) => [...examples.match, ...examples.not])
  .map((example) => (typeof example === 'string' ? example : example.text))
  .map((text, n) => `${text}${n % 3 === 0 ? '\n' : n % 3 === 1 ? ' ; ' : ' and then some words\r\n'}`)
  .join('');

describe('a scanner that has seen much', () => {
  const near: TextContext = { fieldAt: () => null, fieldScope: 'near' };
  // Labels far and near, whole and cut by what is looked back, in humps and in words.
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

  it('finds the same whether it is new or has seen the text before', () => {
    for (const text of [everything, labelled]) {
      const fresh = createScanner(catalogue);
      const first = scan(text, [], near, fresh);
      expect(first.length).toBeGreaterThan(10);
      expect(scan(text, [], near, fresh)).toEqual(first);
      expect(scan(text, [4096], near)).toEqual(first);
    }
  });

  it('hears a label that is part of a name in humps', () => {
    const [found] = scan('phoneHome = 2125550142', [], near);
    expect(found).toMatchObject({ id: 'PHONE', value: '2125550142' });
  });
});

describe('chunk borders', () => {
  const long = `${everything}${'x'.repeat(9000)} ${'lorem ipsum 12 '.repeat(4000)}${everything.slice(0, 60_000)}`;
  // A reader of fields that looks as far as it may: if it saw more in one chunking than in another, the fields would differ.
  const looking: TextContext = { fieldAt: (window, at) => `${at}/${window.length}/${window[0]}` };
  const whole = scan(long, [], looking);

  it('do not change what is found, nor where', () => {
    expect(whole.length).toBeGreaterThan(200);
    for (const size of [1, 7, 64, 4095, 4096, 4097, 65536])
      expect(scan(long, [size], looking)).toEqual(whole);
  });

  it('do not, however the text is cut', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(sizes, (cut) => {
        expect(scan(long, cut, looking)).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  });

  it('may be empty', () => {
    const ends: number[] = [];
    scanner.begin(NO_FIELDS, (spans) => ends.push(spans.end[0]!));
    for (const piece of ['jane@acme.exa', '', 'mple']) scanner.push(Buffer.from(piece));
    scanner.end();
    expect(ends).toEqual([17]);
  });
});

describe('where a value is', () => {
  it('is told by line and column, from 1, in bytes', () => {
    const [first, second] = scan('é jane@acme.example\n\r\n  joe@acme.example');
    expect(first).toMatchObject({ line: 1, column: 4, start: 3 });
    expect(second).toMatchObject({ line: 3, column: 3, start: 25 });
  });

  it('stays right behind a line longer than any window', () => {
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
  it('forgets one part before the next', () => {
    scanner.begin(NO_FIELDS, () => {});
    scanner.push(Buffer.from('SSN '));
    expect(scan('536228741')).toEqual([]);
    expect(scan('SSN: 536228741')[0]).toMatchObject({ line: 1, column: 6 });
  });

  it('finds nothing in nothing', () => {
    expect(scan('')).toEqual([]);
  });

  it('does not tell what is below the threshold', () => {
    const strict = createScanner(catalogue, { minConfidence: 0.9 });
    expect(scan('4111 1111 1111 1111')[0]).toMatchObject({ id: 'CREDIT_CARD' });
    expect(scan('4111 1111 1111 1111', [], NO_FIELDS, strict)).toEqual([]);
    expect(scan('4539 1488 0343 6467', [], NO_FIELDS, strict)).toHaveLength(1);
  });

  it('marks the numbers of the manuals as test values', () => {
    const [card] = scan('4242424242424242');
    expect(card!.reasons & REASON.testValue).not.toBe(0);
    expect(card!.confidence).toBeCloseTo(0.6);
  });

  it('hands the field of a finding on', () => {
    const context: TextContext = { fieldAt: (window, at) => (window[at] === 0x35 ? 'employee_ssn' : null) };
    expect(scan('536228741', [], context)).toMatchObject([{ id: 'SSN', field: 'employee_ssn' }]);
  });

  it('keeps a key longer than its reach by its beginning', () => {
    const body = 'MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEA\n'.repeat(200);
    const found = scan(`-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----\njane@acme.example`);
    expect(found[0]).toMatchObject({ id: 'PRIVATE_KEY', start: 0 });
    expect(found.at(-1)).toMatchObject({ id: 'EMAIL', line: 203 });
  });
});
