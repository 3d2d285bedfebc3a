import { describe, expect, it } from 'vitest';
import { builtInFormat, digitsInPattern, parseFormat } from './number-format.ts';
import { NumberText } from './number-text.ts';

describe('formats of numbers', () => {
  it.each([
    ['General', 'as it is'],
    ['0', 'as it is'],
    ['#,##0.00', 'as it is'],
    ['0.00E+00', 'as it is'],
    ['0%', 'as it is'],
    ['[h]:mm:ss', 'as it is'],
    ['#,##0.00\\ "days"', 'as it is'],
    ['#,##0 [$kr-41D]', 'as it is'],
    ['yyyy\\-mm\\-dd', 'date'],
    ['[$-409]d\\-mmm\\-yy;@', 'date'],
    ['mmm', 'date'],
    ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'date'],
    ['yyyy"年"m"月"d"日"', 'date'],
    ['h:mm AM/PM', 'time'],
    ['mm:ss', 'time'],
    ['dd/mm/yyyy hh:mm', 'date and time'],
    ['', 'as it is'],
  ])('%s is %s', (code, format) => {
    expect(parseFormat(code)).toBe(format);
  });

  it.each([
    ['000\\-00\\-0000', 78051120, '078-05-1120'],
    ['00000', 501, '00501'],
    ['0000" "0000" "0000" "0000', 4111111111111111, '4111 1111 1111 1111'],
    ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', 5550100, '555-0100'],
    ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', 2125550100, '(212) 555-0100'],
    ['00000', 1234567, '1234567'],
    ['00000', 1.5, null],
    ['00000', -1, null],
  ])('%s puts %d in groups: %s', (code, value, shown) => {
    const format = parseFormat(code);
    expect(typeof format === 'string' ? format : digitsInPattern(value, format)).toBe(shown);
  });

  it('have numbers where they need no code', () => {
    expect([0, 14, 22, 45, 49].map(builtInFormat)).toEqual([
      'as it is',
      'date',
      'date and time',
      'time',
      'as it is',
    ]);
  });
});

describe('numbers of a sheet as text', () => {
  const numbers = new NumberText(false);

  it.each([
    ['1', '1900-01-01'],
    ['59', '1900-02-28'],
    ['61', '1900-03-01'],
    ['2958465', '9999-12-31'],
    ['2958466', '2958466'],
    ['0', '0'],
    ['-1', '-1'],
    ['36525.999999999', '2000-01-01'],
  ])('day %s is %s', (raw, text) => {
    expect(numbers.text(raw, 'date')).toBe(text);
  });

  it.each([
    ['4.0128888888818812E+18', '4012888888881881000'],
    ['123456789012345678', '123456789012345678'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['1E+300', '1E+300'],
    ['\t12"', '12"'],
    ['"x\ty', "'x y"],
    ['0x10', '16'],
    ['Infinity', 'Infinity'],
  ])('%j is %j', (raw, text) => {
    expect(numbers.text(raw, 'as it is')).toBe(text);
  });
});
