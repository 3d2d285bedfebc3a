import { describe, expect, it } from 'vitest';
import { writeJsonl } from './jsonl.ts';
import { HOSTILE, sampleFinding, stream, textOf } from './sample-report.ts';

describe('JSON lines', () => {
  it('hold one finding each, with the version of the schema', async () => {
    const text = await textOf((out) => writeJsonl(stream([sampleFinding()]), out));
    expect(text).toBe(
      '{"schemaVersion":1,"scan":"7f3a9c","source":"s3://claims","key":"finance/2023/payroll/export-final.csv",' +
        '"part":null,"detector":"SSN","category":"direct_identifier","field":"ssn","start":120,"end":131,"line":12,' +
        '"column":5,"confidence":0.9,"tier":"CRITICAL","masked":"***-**-6789","fingerprint":"0f1e2d3c4b5a6978",' +
        '"reasons":["context word \\"ssn\\"","valid area number"],"context":null,' +
        '"baseConfidence":0.8,"entropy":null,"contested":["PHONE"],"handle":"12-873-0"}\n',
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
