import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvRow, writeCsv } from './csv.ts';
import { hostileText, LATIN1, sampleFinding, stream, textOf } from './sample-report.ts';

describe('CSV', () => {
  it('has a header and a row for each finding, with CRLF', async () => {
    const text = await textOf((out) => writeCsv(stream([sampleFinding()]), out));
    expect(text).toBe(
      'scan,source,key,keyHex,part,detector,category,field,start,end,line,column,confidence,tier,masked,fingerprint,reasons,handle\r\n' +
        '7f3a9c,s3://claims,finance/2023/payroll/export-final.csv,,,SSN,direct_identifier,ssn,120,131,12,5,0.9,CRITICAL,' +
        '***-**-6789,0f1e2d3c4b5a6978,"context word ""ssn""; valid area number",12-873-0\r\n',
    );
  });

  it('gives the bytes of a name that is not UTF-8', async () => {
    const text = await textOf((out) => writeCsv(stream([sampleFinding({ key: LATIN1 })]), out));
    expect(text).toContain(',caf\\xe9,636166e9,');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\0x', '=HYPERLINK("http://x","y")'])(
    'turns the formula %j into text',
    (value) => expect(csvCell(value).replace(/^"/, '')).toMatch(/^'/),
  );

  it('leaves our own numbers numbers', () => {
    expect(csvRow([-1, 'a'])).toBe('-1,a\r\n');
  });

  it('reads back as what was written, apostrophes aside', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 5 }), (cells) => {
        expect(parse(csvRow(cells)).map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n\0＝＋－＠])/, ''))).toEqual(
          cells.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n\0＝＋－＠])/, '')),
        );
      }),
    );
  });
});

/** One record, as RFC 4180 defines it. */
function parse(record: string): string[] {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/y;
  for (let match = cell.exec(record); match !== null; match = cell.exec(record)) {
    cells.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'));
    if (match[3] !== ',') return cells;
  }
  throw new Error(`not a record: ${JSON.stringify(record)}`);
}
