import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardBrand } from './checks/card.ts';
import { ibanChecks } from './checks/iban.ts';
import { luhn } from './checks/luhn.ts';
import { ssnIssuable } from './checks/ssn.ts';
import { catalogue } from './detectors/catalogue.ts';
import { createScanner } from './scanner.ts';

/**
 * The slow way, one expression and one check per kind, over text made of borders, digits, words and planted values.
 * Whatever it finds the scanner must find too, under that name or a stronger one: the fast path loses nothing.
 */
const EDGE = { before: '(?<![A-Za-z0-9])(?<![A-Za-z0-9][-.])', after: '(?![A-Za-z0-9])(?![-.][A-Za-z0-9])' };
const kinds: readonly { id: string; shape: RegExp; check: (value: string) => boolean }[] = [
  {
    id: 'SSN',
    shape: /\d{3}-\d{2}-\d{4}/,
    check: (value) => ssnIssuable(value.replaceAll('-', '')),
  },
  {
    id: 'CREDIT_CARD',
    shape: /\d{4}-\d{4}-\d{4}-\d{4}|\d{14,19}/,
    check: (value) => {
      const digits = value.replaceAll('-', '');
      return cardBrand(digits)?.rare === false && luhn(digits);
    },
  },
  { id: 'IBAN', shape: /[A-Z]{2}\d{2}[A-Z0-9]{11,30}/, check: ibanChecks },
  { id: 'EMAIL', shape: /[a-z][a-z0-9]{0,20}@[a-z]{1,20}\.(?:com|org|example)/, check: () => true },
  {
    id: 'IP_ADDRESS',
    shape: /(?:[1-9]\d?|1\d\d)(?:\.(?:[1-9]\d?|1\d\d)){3}/,
    check: (value) => !value.startsWith('127.'),
  },
];

function slow(text: string): { id: string; start: number; end: number }[] {
  return kinds.flatMap(({ id, shape, check }) => {
    const all = text.matchAll(new RegExp(`${EDGE.before}(?:${shape.source})${EDGE.after}`, 'g'));
    return [...all]
      .filter(([value]) => check(value))
      .map((m) => ({ id, start: m.index, end: m.index + m[0].length }));
  });
}

const scanner = createScanner(catalogue);

function fast(text: string): { id: string; start: number; end: number }[] {
  scanner.begin({ fieldAt: () => null });
  scanner.push(Buffer.from(text, 'latin1'));
  const spans = scanner.end();
  return Array.from({ length: spans.count }, (_, n) => ({
    id: catalogue[spans.detector[n]!]!.id,
    start: spans.start[n]!,
    end: spans.end[n]!,
  }));
}

const planted = fc.constantFrom(
  '536-22-8741',
  '899-12-3456',
  '4539148803436467',
  '4539-1488-0343-6467',
  '371449635398431',
  'GB82WEST12345698765432',
  'NO9386011117947',
  'jane@acme.example',
  'x1@y.com',
  '52.94.136.48',
  '9.9.9.9',
);
const noise = fc.constantFrom(
  ' ',
  ',',
  '\n',
  '"',
  '(',
  ')',
  '=',
  '; ',
  '\t',
  '|',
  'word',
  'Word',
  'x9',
  '12',
  '2024',
  '_',
  '/',
  'é',
  '#',
);
const border = fc.constantFrom(' ', ',', '\n', '"', '\t', '|', ';');
const text = fc
  .array(
    fc.oneof(
      noise,
      fc.tuple(border, planted, border).map((three) => three.join('')),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));

describe('against the slow reference', () => {
  it('the scanner loses nothing', () => {
    fc.assert(
      fc.property(text, (sample) => {
        const found = fast(sample);
        for (const { id, start, end } of slow(sample)) {
          const covered = found.some(
            (span) =>
              span.start < end &&
              start < span.end &&
              (span.id === id || span.end - span.start >= end - start),
          );
          expect({ sample, id, value: sample.slice(start, end), covered }).toMatchObject({ covered: true });
        }
      }),
      { numRuns: 400 },
    );
  });

  it('every planted value is found as itself', () => {
    fc.assert(
      fc.property(fc.array(planted, { minLength: 1, maxLength: 30 }), border, (values, between) => {
        const sample = values.join(between);
        expect(fast(sample).map(({ start, end }) => sample.slice(start, end))).toEqual(values);
      }),
    );
  });
});
