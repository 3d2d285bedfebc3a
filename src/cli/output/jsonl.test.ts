import { describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { keyJson, writeJsonl } from './jsonl.ts';
import { HOSTILE, LATIN1, sampleFinding, stream, textOf } from './sample-report.ts';

describe('JSON lines', () => {
  it('hold one finding each, with the version of the schema', async () => {
    const text = await textOf((out) => writeJsonl(stream([sampleFinding()]), out));
    expect(text).toBe(
      '{"schemaVersion":1,"scan":"7f3a9c","source":"s3://claims","key":"finance/2023/payroll/export-final.csv",' +
        '"part":null,"detector":"SSN","category":"direct_identifier","field":"ssn","start":120,"end":131,"line":12,' +
        '"column":5,"confidence":0.9,"tier":"CRITICAL","masked":"***-**-6789","fingerprint":"0f1e2d3c4b5a6978",' +
        '"reasons":["context word \\"ssn\\"","valid area number"]}\n',
    );
  });

  it('stay one line each when a name has line breaks', async () => {
    const findings = [sampleFinding({ key: HOSTILE, field: 'a\nb' }), sampleFinding()];
    const lines = (await textOf((out) => writeJsonl(stream(findings), out))).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).toEqual([12, 12]);
  });

  it('are nothing when there is nothing', async () => {
    expect(await textOf((out) => writeJsonl(stream([]), out))).toBe('');
  });
});

describe('a key in JSON', () => {
  it('is the name itself where it can be', () => {
    expect(keyJson(keyOf('Köln/名.txt'))).toEqual({ key: 'Köln/名.txt' });
  });

  it('has its bytes beside it where the shown name is not the name', () => {
    expect(keyJson(LATIN1)).toEqual({ key: 'caf\\xe9', keyHex: '636166e9' });
    expect(keyJson(keyOf('a\nb'))).toEqual({ key: 'a\\nb', keyHex: '610a62' });
    expect(keyJson(keyOf('a\\b'))).toEqual({ key: 'a\\\\b', keyHex: '615c62' });
  });
});
