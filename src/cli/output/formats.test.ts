import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { formatOf, OUTPUT_FORMATS, writeOutput } from './formats.ts';
import { SAMPLE, sampleFinding, stream, textOf } from './sample-report.ts';

describe('the format of an output', () => {
  it.each([
    ['findings.jsonl', 'jsonl'],
    ['findings.ndjson', 'jsonl'],
    ['a/b/report.sarif', 'sarif'],
    ['report.sarif.json', 'sarif'],
    ['report.json', 'json'],
    ['REPORT.HTML', 'html'],
    ['x.htm', 'html'],
    ['x.csv', 'csv'],
    ['x.txt', 'txt'],
  ])('of %s is %s', (name, format) => expect(formatOf(name)).toBe(format));

  it('is the one that was said, whatever the name', () => {
    expect(formatOf('-', 'sarif')).toBe('sarif');
    expect(formatOf('x.csv', 'JSONL')).toBe('jsonl');
  });

  it.each(['report', 'report.pdf', '-', 'folder.csv/report'])(
    'is asked for when %s does not tell it',
    (name) => {
      expect(() => formatOf(name)).toThrow(SeineError);
      try {
        formatOf(name);
      } catch (error) {
        expect(error).toMatchObject({ kind: 'usage', hint: expect.stringContaining('.sarif') });
      }
    },
  );

  it('is refused with the list of formats when it does not exist', () => {
    expect(() => formatOf('x.csv', 'pdf')).toThrow('Unknown output format "pdf".');
  });
});

describe('every format', () => {
  it.each(OUTPUT_FORMATS)('%s is written and ends with a line end', async (format) => {
    const text = await textOf((out) => writeOutput(format, SAMPLE, stream([sampleFinding()]), out));
    expect(text).toMatch(/SSN.*\n$/s);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no escape may be in a file
    expect(text).not.toMatch(/\x1b/);
  });
});
