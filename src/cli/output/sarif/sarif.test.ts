import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../base/key.ts';
import type { Finding } from '../../../scans/results/finding.ts';
import type { Report } from '../../../scans/results/report.ts';
import { HOSTILE, LATIN1, SAMPLE, sampleFinding, stream, textOf } from '../sample-report.ts';
import { writeSarif } from './sarif.ts';

interface Run {
  readonly results: readonly Result[];
  readonly tool: {
    readonly driver: { readonly rules: readonly { readonly id: string; readonly help: object }[] };
  };
  readonly invocations: readonly Invocation[];
  readonly originalUriBaseIds: Record<string, { readonly uri?: string }>;
  readonly properties: { readonly resultsLeftOut: number };
}
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [
    { physicalLocation: { region: object }; logicalLocations?: readonly object[] },
  ];
  readonly partialFingerprints: Record<string, string>;
}
interface Invocation {
  readonly executionSuccessful: boolean;
  readonly toolExecutionNotifications: readonly {
    level: string;
    descriptor: { id: string };
    message: { text: string };
  }[];
}

async function run(findings: readonly Finding[], report: Report = SAMPLE, max?: number): Promise<Run> {
  const log = JSON.parse(await textOf((out) => writeSarif(report, stream(findings), out, max)));
  expectValid(log);
  return log.runs[0];
}

/** The schema of the standard itself. Formats are ours: what the readers of our files trip over. */
const schemaPath = createRequire(import.meta.url).resolve('schemastore/schemas/json/sarif-2.1.0.json');
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
ajv.addFormat('uri', (text) => URL.canParse(text) && /^[!-~]*$/.test(text));
ajv.addFormat(
  'uri-reference',
  (text) => URL.canParse(text, 'x://y/') && /^(?:[!$&-;=@_~a-zA-Z?#]|%[\dA-F]{2})*$/.test(text),
);
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const validate = ajv.compile(JSON.parse(readFileSync(schemaPath, 'utf8')));

function expectValid(log: unknown): void {
  validate(log);
  expect(validate.errors).toBeNull();
}

describe('SARIF', () => {
  it('is valid by the schema of the standard, empty, full of hostile names, or cut short', async () => {
    await run([]);
    await run([sampleFinding({ key: HOSTILE }), sampleFinding({ key: LATIN1, part: 'gzip', field: null })]);
    await run(
      [sampleFinding(), sampleFinding()],
      { ...SAMPLE, scan: { ...SAMPLE.scan, status: 'failed', finishedAt: null } },
      1,
    );
  });

  it('is measured by a schema that does refuse', () => {
    expect(validate({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
  });

  it('reports where a finding is, in lines and in bytes', async () => {
    const { results, originalUriBaseIds } = await run([sampleFinding()]);
    expect(results[0]?.locations[0]).toEqual({
      physicalLocation: {
        artifactLocation: { uri: 'finance/2023/payroll/export-final.csv', uriBaseId: '%SRCROOT%' },
        region: { startLine: 12, startColumn: 5, byteOffset: 120, byteLength: 11 },
      },
    });
    expect(originalUriBaseIds['%SRCROOT%']?.uri).toBe('s3://claims/');
  });

  it('gives no offsets of the object for a place inside a decompressed part', async () => {
    const { results } = await run([sampleFinding({ part: 'gzip' })]);
    const location = results[0]!.locations[0];
    expect(location.physicalLocation.region).toEqual({ startLine: 12, startColumn: 5 });
    expect(location.logicalLocations).toMatchObject([{ name: 'gzip' }]);
  });

  it.each([
    ['CRITICAL', 'error'],
    ['HIGH', 'error'],
    ['MEDIUM', 'warning'],
    ['LOW', 'note'],
    ['MINIMAL', 'note'],
  ] as const)('reports tier %s as %s', async (tier, level) => {
    expect((await run([sampleFinding({ tier })])).results[0]?.level).toBe(level);
  });

  it('has a fingerprint that moved lines leave alone, and another object or value changes', async () => {
    const { results } = await run([
      sampleFinding(),
      sampleFinding({ line: 99, column: 1, start: 9000, end: 9011 }),
      sampleFinding({ key: keyOf('elsewhere.csv') }),
      sampleFinding({ fingerprint: 'ffff' }),
    ]);
    const [one, moved, elsewhere, other] = results.map(
      (result) => result.partialFingerprints['seineFingerprint/v1'],
    );
    expect(moved).toBe(one);
    expect(new Set([one, elsewhere, other]).size).toBe(3);
  });

  it('has a rule with help for every result, also for a type the report does not name', async () => {
    const { results, tool } = await run([sampleFinding({ detector: 'IBAN' }), sampleFinding()]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    for (const rule of tool.driver.rules)
      expect(rule.help).toMatchObject({ text: expect.stringMatching(/\w{4}/) });
  });

  it('notifies about objects that were not read, by reason', async () => {
    const { invocations } = await run([]);
    expect(invocations[0]?.executionSuccessful).toBe(true);
    expect(invocations[0]?.toolExecutionNotifications.map(({ message }) => message.text)).toEqual([
      '3 objects read in part: larger than the limit of 1 GB.',
      '2 objects not read: encrypted.',
    ]);
  });

  it('notifies about what is not shown: suppressed, or known by a baseline', async () => {
    const baseline = { name: 'main', new: 0, known: 7, moved: 0, gone: 0 };
    const report = { ...SAMPLE, ledger: [], suppressed: { findings: 2, suppressions: 1 }, baseline };
    const { invocations } = await run([], report);
    expect(invocations[0]?.toolExecutionNotifications.map(({ message }) => message.text)).toEqual([
      '0 new against the baseline main; 7 known, 0 gone.',
      '2 findings suppressed (1 suppression).',
    ]);
  });

  it('does not call an incomplete scan successful', async () => {
    const { invocations } = await run([], { ...SAMPLE, scan: { ...SAMPLE.scan, status: 'incomplete' } });
    expect(invocations[0]?.executionSuccessful).toBe(false);
    expect(invocations[0]?.toolExecutionNotifications[0]).toMatchObject({ level: 'error' });
  });

  it('stops at the limit and reports how many results were left out', async () => {
    const { results, properties, invocations } = await run(Array(7).fill(sampleFinding()), SAMPLE, 5);
    expect(results).toHaveLength(5);
    expect(properties.resultsLeftOut).toBe(2);
    expect(invocations[0]?.toolExecutionNotifications.at(-1)?.message.text).toMatch(/^2 results left out/);
    expect((await run(Array(5).fill(sampleFinding()), SAMPLE, 5)).properties.resultsLeftOut).toBe(0);
  });

  it('lets no name become a link or a placeholder of the message', async () => {
    const { results } = await run([sampleFinding({ key: keyOf('[click](1) {0}') })]);
    expect(results[0]?.message.text).toContain('\\[click\\](1) {{0}}');
  });
});
