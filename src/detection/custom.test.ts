import { describe, expect, it } from 'vitest';
import { type CustomRule, customDetector, minLengthOf } from './custom.ts';
import type { Example } from './detector.ts';
import { compileExampleCheck } from './examples.ts';

const RULE: CustomRule = {
  id: 'EMPLOYEE',
  title: 'Employee number',
  category: 'quasi_identifier',
  regulations: [],
  risk: 4,
  pattern: 'EMP-\\d{6}',
  checks: [],
  context: { words: [] },
  labelled: false,
  confidence: 0.75,
  examples: { match: [], not: [] },
};

function finds(change: Partial<CustomRule>, example: Example): boolean {
  return compileExampleCheck(customDetector({ ...RULE, ...change }), 0.5)!(example, true) === null;
}

describe('a custom detector', () => {
  it('finds its pattern at word boundaries only', () => {
    expect(finds({}, 'EMP-123456')).toBe(true);
    expect(finds({}, { text: 'see EMP-123456.', value: 'EMP-123456' })).toBe(true);
    for (const text of ['XEMP-123456', 'EMP-1234567', 'EMP-12345', 'emp-123456'])
      expect(finds({}, { text, value: 'EMP-123456' })).toBe(false);
  });

  it('ignores case if the pattern says so', () => {
    expect(finds({ pattern: '(?i)emp-\\d{6}' }, 'Emp-123456')).toBe(true);
  });

  it('takes the longest match', () => {
    const pattern = 'AB(?:-\\d{2}|-\\d{2}-\\d{2})';
    expect(finds({ pattern }, { text: 'x AB-12-34 y', value: 'AB-12-34' })).toBe(true);
  });

  it('may begin with a character that is no letter or digit', () => {
    expect(finds({ pattern: '#\\d{4}' }, { text: 'room #1234', value: '#1234' })).toBe(true);
    expect(finds({ pattern: '#\\d{4}' }, { text: 'room#1234', value: '#1234' })).toBe(true);
  });

  it('supports alternatives at the start', () => {
    const pattern = 'EMP\\d{4}|X-\\d{4}|9{4}';
    for (const value of ['EMP1234', 'X-1234', '9999'])
      expect(finds({ pattern }, { text: `a ${value} b`, value })).toBe(true);
  });

  it('supports patterns that begin with a broad class', () => {
    expect(finds({ pattern: '[a-z]+\\d+' }, { text: 'see abc123!', value: 'abc123' })).toBe(true);
    expect(finds({ pattern: '(?:é|a)+z' }, { text: '(éaéz)', value: 'éaéz' })).toBe(true);
    expect(finds({ pattern: 'a[\\s\\S]+z' }, { text: 'a\nz', value: 'a\nz' })).toBe(true);
  });

  it('rejects a value that fails one of its checks', () => {
    const card = { pattern: '\\d{8}', checks: ['luhn'] };
    expect(finds(card, '17893729')).toBe(false);
    expect(finds(card, '17893728')).toBe(true);
    const secret = { pattern: 'key_[a-z0-9]{16}', checks: ['entropy>3.5', 'not_placeholder'] };
    expect(finds(secret, 'key_8f3kq09zx1vbt7yw')).toBe(true);
    expect(finds(secret, 'key_aaaaaaaabbbbbbbb')).toBe(false);
  });

  it('requires a label if configured so', () => {
    const labelled = { pattern: '\\d{6}', labelled: true, context: { words: ['badge', 'staff no'] } };
    expect(finds(labelled, { text: 'badge: 123456', value: '123456' })).toBe(true);
    expect(finds(labelled, { text: 'STAFF_NO 123456', value: '123456' })).toBe(true);
    expect(finds(labelled, { text: 'order 123456', value: '123456' })).toBe(false);
    expect(finds(labelled, { text: '123456', value: '123456', field: 'staffNo' })).toBe(true);
  });

  it('has less confidence near a negative context word', () => {
    const context = { words: [], avoid: ['order'] };
    expect(finds({ context }, { text: 'order EMP-123456', value: 'EMP-123456' })).toBe(false);
    expect(finds({ context }, { text: 'order EMP-123456', value: 'EMP-123456', field: 'note' })).toBe(false);
    expect(finds({ context }, { text: 'badge EMP-123456', value: 'EMP-123456' })).toBe(true);
    expect(finds({ context, confidence: 0.45 }, { text: 'badge EMP-123456', value: 'EMP-123456' })).toBe(
      false,
    );
  });

  it('has more confidence near a context word', () => {
    const weak = { confidence: 0.45, context: { words: ['ausweis', 'prüf nr.'] } };
    for (const label of ['Ausweis', 'PrüfNr.'])
      expect(finds(weak, { text: `${label}: EMP-123456`, value: 'EMP-123456' })).toBe(true);
    expect(finds(weak, { text: 'x: EMP-123456', value: 'EMP-123456' })).toBe(false);
  });

  it('finds no value above the maximum length', () => {
    const pattern = 'T[a-z]+';
    expect(finds({ pattern }, `T${'a'.repeat(511)}`)).toBe(true);
    expect(finds({ pattern }, `T${'a'.repeat(512)}`)).toBe(false);
  });

  it('masks most of a value, and all of a secret', () => {
    expect(customDetector(RULE).mask('EMP-123456')).toBe('•••-••••56');
    expect(customDetector({ ...RULE, category: 'credential' }).mask('EMP-123456')).toBe('••••••••');
  });
});

describe('the minimum length of a pattern', () => {
  it.each([
    ['a*', 0],
    ['\\b', 0],
    ['a+', 1],
    ['a?b', 1],
    ['ab|c', 1],
    ['[a-z]+\\d+', 2],
    ['(?:ab){3}', 6],
    ['x{200}', 14],
  ])('%s has %i bytes', (pattern, bytes) => {
    expect(minLengthOf(pattern)).toBe(bytes);
  });
});
