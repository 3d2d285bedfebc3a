import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCommand, quoteForShell, suggestCommand } from './suggest-command.ts';

describe('a suggested command', () => {
  it('calls the program as it was called', () => {
    expect(suggestCommand(['resume', '1'], {}, {})).toBe('seine resume 1');
    expect(suggestCommand(['resume', '1'], {}, { SEINE_CALLED: '' })).toBe('seine resume 1');
    expect(suggestCommand(['resume', '1'], {}, { SEINE_CALLED: './my tools/seine' })).toBe(
      "'./my tools/seine' resume 1",
    );
  });

  it('names the data folder where it was given, after the command it belongs to', () => {
    expect(suggestCommand(['resume', '1'], { data: '/srv/seine' }, {})).toBe(
      'seine resume 1 --data /srv/seine',
    );
    expect(suggestCommand(['scans'], { data: "it's here" }, {})).toBe("seine scans --data 'it'\\''s here'");
  });

  it('omits a data folder that the environment names', () => {
    expect(suggestCommand(['scans'], {}, { SEINE_DATA: '/srv/seine' })).toBe('seine scans');
  });

  it('is the same words for the shell, whatever they hold', () => {
    const word = fc.string({ unit: 'binary-ascii', maxLength: 12 }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 3 }), word, (words, data) => {
        const line = formatCommand(words, { command: 'printf', data });
        const heard = execFileSync('sh', ['-c', line.replace('printf', "printf '%s\\0'")], {
          encoding: 'utf8',
        });
        expect(heard.split('\0').slice(0, -1)).toEqual([...words, '--data', data]);
      }),
      { numRuns: 30 },
    );
  });

  it('quotes only what needs it', () => {
    expect(quoteForShell('a/b.csv')).toBe('a/b.csv');
    expect(quoteForShell("it's $(x)")).toBe("'it'\\''s $(x)'");
    expect(quoteForShell('')).toBe("''");
  });
});
