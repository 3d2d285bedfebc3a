import { describe, expect, it } from 'vitest';
import { LOOKAHEAD_BYTES, LOOKBEHIND_BYTES } from '../../detector.ts';
import { mayBeUnit, mayNameUnit, outlineAt, plainEnd, STREET } from './street-outline.ts';

function bytesOf(text: string): Buffer {
  return Buffer.concat([Buffer.alloc(LOOKBEHIND_BYTES), Buffer.from(text), Buffer.alloc(LOOKAHEAD_BYTES)]);
}

describe('the cheap test for a street', () => {
  it.each([
    ['742 Evergreen Terrace', STREET.numbered],
    ['108 N. LAKE BLVD', STREET.numbered],
    ['12a, De la Cruz St.', STREET.numbered],
    ['12 rue de la Paix', STREET.french],
    ['12 bis rue Cler', STREET.french],
    ['Via Garibaldi 71', STREET.prefixed],
    ['Praça da Sé 5', STREET.prefixed],
    ['Bahnhofstraße 12', STREET.suffixed],
    ['Király u. 15', STREET.suffixed],
    ['5049 Harjukuja 54', STREET.suffixed],
    ['P.O. Box 4411', STREET.box],
  ])('of %s has its form', (text, form) => {
    expect(outlineAt(bytesOf(text), LOOKBEHIND_BYTES) & form).toBe(form);
  });

  it.each(['40 HTTP/1.1', '445 ms (request 6fd3)', '46 of them planet', '2022 Google LLC. All', '12,Street'])(
    'is not in %s',
    (text) => expect(outlineAt(bytesOf(text), LOOKBEHIND_BYTES)).toBe(0),
  );
});

describe('a number and capitalised words', () => {
  function plainIn(text: string): string | number {
    const bytes = bytesOf(text);
    const end = plainEnd(bytes, LOOKBEHIND_BYTES);
    return end > 0 ? bytes.toString('utf8', LOOKBEHIND_BYTES, end) : end;
  }

  it('end after the last word', () => {
    expect(plainIn('40 HTTP/1.1')).toBe('40 HTTP');
    expect(plainIn('12 High Hill. and')).toBe('12 High Hill.');
    expect(plainIn('1 A B C D E F')).toBe('1 A B C D E');
  });

  it('are rejected with a lower-case letter or a longer number', () => {
    expect(plainIn('12 high')).toBe(0);
    expect(plainIn('1234567 High')).toBe(0);
  });

  it('need the expression if a number follows', () => {
    expect(plainIn('12 High 5')).toBe(-1);
    expect(plainIn('12 High5')).toBe(-1);
  });
});

it('recognises the beginnings of flats and floors', () => {
  expect(mayNameUnit(bytesOf(', Apt 4B'), LOOKBEHIND_BYTES)).toBe(true);
  expect(mayNameUnit(bytesOf('\n> Suite 5'), LOOKBEHIND_BYTES)).toBe(true);
  expect(mayNameUnit(bytesOf(', London'), LOOKBEHIND_BYTES)).toBe(false);
  expect(mayBeUnit(bytesOf('12 Flat'), LOOKBEHIND_BYTES)).toBe(true);
  expect(mayBeUnit(bytesOf('12 High'), LOOKBEHIND_BYTES)).toBe(false);
});
