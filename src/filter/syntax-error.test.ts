import { describe, expect, it } from 'vitest';
import { SeineError } from '../base/errors.ts';
import { compileFilter } from './evaluate.ts';

const DETECTORS = ['SSN', 'EMAIL', 'CREDIT_CARD'];

function failure(text: string): SeineError {
  try {
    compileFilter(text, DETECTORS);
  } catch (error) {
    if (error instanceof SeineError) return error;
    throw error;
  }
  throw new Error('the filter was taken');
}

describe('a syntax error in a filter', () => {
  it('is shown with its line and a caret below it', () => {
    const error = failure('tier = HIGH and sise > 3');
    expect(error.kind).toBe('usage');
    expect(error.hint).toBe('did you mean size?');
    expect(error.message.split('\n')).toEqual([
      "unknown field 'sise' (column 17)",
      '  tier = HIGH and sise > 3',
      '                  ^^^^',
    ]);
  });

  it('is shown with the one line it is on', () => {
    expect(failure('tier = HIGH\n  and foo = 3\n  or size > 1').message.split('\n')).toEqual([
      "unknown field 'foo' (line 2, column 7)",
      '    and foo = 3',
      '        ^^^',
    ]);
  });

  it('is shown in a part of a long line', () => {
    const [, line, carets] = failure(
      `${'size > 1 and '.repeat(50)}foo = 3${' and size > 1'.repeat(50)}`,
    ).message.split('\n');
    expect(line!.length).toBeLessThanOrEqual(102);
    expect(line!.slice(carets!.indexOf('^'), carets!.length)).toBe('foo');
  });

  it('never sends control characters to the terminal', () => {
    expect(failure("path = '\u001b[31m\t' and \u0007").message).not.toMatch(/[^\n\P{Cc}]/u);
  });

  it.each([
    ['path > 3', 6, "path is a text and has no '>'", 'use = != ~ !~ contains'],
    ['detector < SSN', 10, "detector is a name and has no '<'", 'use ='],
    ['tier ~ "H"', 6, "tier is a tier and has no '~'", 'use = != > < >= <='],
    ['size contains 3', 6, "size is a size and has no 'contains'", 'use ='],
    ['count() ~ 3', 9, "count() is a number and has no '~'", 'use ='],
    ['path = 3', 8, 'path is a text, and 3 is a number', "write '3'"],
    ['path = hr', 8, 'path is a text, and hr is not in quotes', "write 'hr'"],
    ['score > "a"', 9, 'score is a number, not a text', 'such as score > 10'],
    ['score > 10KB', 9, 'score is a plain number', 'such as score > 10'],
    ['size > 10XB', 8, "unknown unit 'XB'", 'the units are B, KB'],
    ['tier > 3', 8, 'a tier is not a number', 'MINIMAL < LOW'],
    ['tier = HIHG', 8, "unknown tier 'HIHG'", 'did you mean HIGH?'],
    ['outcome = skiped', 11, "unknown outcome 'skiped'", 'did you mean skipped?'],
    ['modified > 2025', 12, 'this is not a date', "'2025-01-31'"],
    ["modified > '2025-02-31'", 12, 'this is not a date', "'2025-01-31'"],
    ["modified > '2025-01-31T25:00Z'", 12, 'this is not a date', "'2025-01-31'"],
    ['has(SNN)', 5, "unknown detector 'SNN'", 'did you mean SSN?'],
    ['count(SNN) > 1', 7, "unknown detector 'SNN'", 'did you mean SSN?'],
    ['detector = emal', 12, "unknown detector 'emal'", 'did you mean EMAIL?'],
    ['has()', 1, 'has() needs a name', 'write has(TYPE)'],
    ['has(SSN) = 3', 1, 'has() is true or false and is not compared', 'alone'],
    ['count(SSN)', 1, 'count() is a number', 'compare it'],
    ['count > 3', 1, 'count is a function', 'write count(TYPE)'],
    ['hsa(SSN)', 1, "unknown function 'hsa'", 'did you mean has?'],
    ['missing(foo)', 9, "unknown field 'foo'", 'the fields are path, folder,'],
    ['a && b', 3, "unknown operator '&&'", 'write and'],
    ['size === 3', 6, "unknown operator '==='", 'write ='],
    ['size >< 3', 6, "unknown operator '><'", 'the comparisons are'],
    ['path contains a-b', 16, "'-' has no meaning here", 'in quotes'],
    ["path = 'abc", 8, 'this quote is never closed', 'write a quote twice'],
    ['', 1, 'a field is missing: the filter ends here', 'starts with a field'],
    ['and size > 1', 1, "a field is missing: unexpected 'and'", 'starts with a field'],
    ['5 < size', 1, "a field is missing: unexpected '5'", 'starts with a field'],
    ['tier', 5, "a comparison is missing after 'tier'", 'such as tier = …'],
    ['size >', 7, "a value is missing after '>'", 'a number, or a text'],
    ['size > and', 8, "a value is missing after '>'", 'a number, or a text'],
    ['(size > 1', 10, 'a ) is missing', 'still open'],
    ['has(SSN EMAIL)', 9, 'a ) is missing after has(', 'one name'],
    ['size > 1)', 9, "the filter should end before ')'", 'no parenthesis is open'],
    ['size > 1 tier = LOW', 10, "the filter should end before 'tier'", 'and, or'],
    [`size > ${'9'.repeat(400)}`, 8, 'this number is too large', 'fewer'],
    [`${'('.repeat(200)}size > 1`, 102, 'the filter is nested too deep', '100'],
    [`${'not '.repeat(200)}has(SSN)`, 405, 'the filter is nested too deep', '100'],
    [`path = '${'x'.repeat(10_000)}'`, 10_001, 'the filter is too long', '10000'],
    ["path ~ '(a+)+'", 13, 'a repeated group cannot hold', 'a single class'],
    ["path ~ 'a('", 9, 'this is not a pattern: Unterminated group', 'put \\ before'],
  ])('%s: column %d', (text, column, message, hint) => {
    const error = failure(text);
    expect(error.message).toContain(message);
    expect(error.message).toContain(`(column ${column})`);
    expect(error.hint).toContain(hint);
  });
});

describe('without a list of detectors', () => {
  it('any name may be one', () => {
    expect(compileFilter('has(BADGE)').text).toBe('has(BADGE)');
  });
});
