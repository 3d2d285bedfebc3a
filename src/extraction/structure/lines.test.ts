import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerName, label, lineKey, logLabel, propertyName } from './lines.ts';
import { shownName } from './name.ts';

/** The rule in one expression, on text: a name, up to two closing marks, blanks, operators, then the separator. */
const WORD = /([\p{L}_$][\p{L}\d_$.-]*)["'`\]*]{0,2}\s*[:=!]*$/u;

const pieces = fc.constantFrom(
  'user',
  'a',
  '_x',
  '7',
  'é',
  '.',
  '-',
  '"',
  "'",
  ']',
  '*',
  ' ',
  '\t',
  ':',
  '=',
  '!',
  '@',
  'ß',
  '\u00a0',
);

/** As it is shown: a name with many digits may be a value. */
function nameBy(rule: RegExp, text: string): string | null {
  const name = rule.exec(text)?.[1]?.trim();
  return name === undefined ? null : shownName(name);
}

describe('the name before a separator', () => {
  it.each([
    ['level=info user=42', 'user'],
    ['{"order-id"=42', 'order-id'],
    ['retry.count !=42', 'retry.count'],
    ['größe=42', 'größe'],
    ['12:42', null],
    ['https:42', null],
    ['# user77777=42', '*'],
  ])('of %j is %j', (text, name) => {
    const window = Buffer.from(text);
    expect(logLabel(window, window.length - 2)).toBe(name);
  });

  it('equals the result of the expression for any input', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (before) => {
        const text = `\n# ${before.join('')}`;
        const window = Buffer.from(`${text}=42`);
        expect(logLabel(window, window.length - 2)).toBe(nameBy(WORD, text.slice(1)));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the label before a colon', () => {
  const WORDS = /(\p{L}[\p{L}\d_-]*(?: \p{L}[\p{L}\d_.-]*){0,3})[*_"'`]*\s*$/u;

  it('equals the result of the expression for any input', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (before) => {
        const text = `\n# ${before.join('')}`;
        const window = Buffer.from(`${text}:42`);
        expect(label(window, window.length - 2)).toBe(nameBy(WORDS, text.slice(1)));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a name that begins out of reach', () => {
  const token = 'AKIAQZXWVCANARYLMNPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ';

  it.each([label, logLabel, lineKey, headerName])('is not shown in part', (nameAt) => {
    for (let blanks = 0; blanks < 600; blanks++) {
      const text = Buffer.from(`first ${token}${' '.repeat(blanks)}: value`);
      const name = nameAt(text, text.indexOf('value')) ?? '*';
      expect(name === '*' || name.includes(token) || !token.includes(name)).toBe(true);
    }
  });

  it('is not shown in part as a property', () => {
    const text = Buffer.from(`${token}${token}:value`);
    expect(propertyName(text, text.indexOf('value'))).toBeNull();
  });
});
