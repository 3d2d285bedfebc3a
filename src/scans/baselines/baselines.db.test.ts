import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { wholeScan } from '../../../test/support/whole-scan.ts';
import { keyFromBytes, keyOf } from '../../base/key.ts';
import type { Database } from '../../db/database.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import { totalsOf } from '../comparing/totals.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import type { Finding } from '../results/finding.ts';
import type { Report } from '../results/report.ts';
import { readReport } from '../results/report-store.ts';
import { baselineLines } from './baseline-file.ts';
import { baselineObjects, findBaseline, listBaselines, removeBaseline } from './baseline-store.ts';
import { createBaseline } from './baselines.ts';
import { type BaselineChoice, compareWithBaseline } from './compare-with-baseline.ts';
import { newFindings } from './new-finding-store.ts';
import { newReport } from './new-report.ts';

const KEY_CHECK = '0123456789abcdef';
const folder = mkdtempSync(join(tmpdir(), 'seine-baseline-'));
afterAll(() => rmSync(folder, { recursive: true }));

let db: Database;
beforeEach(async () => {
  db = await freshDatabase();
});
afterEach(() => db.close());

const scan = async (source: MemorySource): Promise<ScanRow> => (await wholeScan(db, source)).scan;

async function baseline(source: MemorySource): Promise<BaselineChoice> {
  const id = await createBaseline(db, await scan(source), { name: 'main', by: 'ada', replace: true });
  return { name: 'main', id };
}

/** The baseline as a file, for an installation without it. */
async function asFile(): Promise<BaselineChoice> {
  const made = (await findBaseline(db, 'default', 'main'))!;
  const file = join(folder, 'baseline.jsonl');
  let text = '';
  for await (const line of baselineLines(made, baselineObjects(db, made.id), KEY_CHECK)) text += line;
  writeFileSync(file, text);
  return { name: 'main', file, keyCheck: KEY_CHECK };
}

function seen(of: ScanRow, choice: BaselineChoice): Promise<{ report: Report; findings: Finding[] }> {
  return compareWithBaseline(db, choice, of, async (comparison, tx) => {
    const findings: Finding[] = [];
    for await (const finding of newFindings(tx, of)) findings.push(finding);
    return { report: await newReport(await readReport(db, of), of, 'main', comparison, tx), findings };
  });
}

const FILES = { 'hr/a.txt': 'ann@example.com', 'b.txt': 'SSN: 219-09-1234', 'c.txt': 'carl@example.com' };

describe.each(['of the database', 'from a file'])('a baseline %s', (where) => {
  const choose = async (source: MemorySource) => {
    const made = await baseline(source);
    return where === 'of the database' ? made : asFile();
  };

  it('leaves nothing of a scan that found the same', async () => {
    const source = createMemorySource(FILES);
    const choice = await choose(source);
    const { report, findings } = await seen(await scan(source), choice);
    expect(findings).toEqual([]);
    expect(report).toMatchObject({
      objects: [],
      folders: [],
      types: [],
      policies: [],
      baseline: { name: 'main', new: 0, known: 3, moved: 0, gone: 0 },
    });
    expect(Object.values(report.tiers)).toEqual([0, 0, 0, 0, 0]);
  });

  it('leaves only new findings, and objects are scored by those alone', async () => {
    const source = createMemorySource(FILES);
    const choice = await choose(source);
    source.put(keyOf('hr/a.txt'), 'first\nann@example.com\nnew@example.com');
    source.put(keyOf('c.txt'), 'nothing');
    source.put(keyOf('moved.txt'), 'SSN: 219-09-1234');
    source.put(keyOf('b.txt'), 'x');
    const after = await scan(source);
    const { report, findings } = await seen(after, choice);
    expect(findings.map(({ key, line, detector }) => [key, line, detector])).toEqual([
      ['hr/a.txt', 3, 'EMAIL'],
    ]);
    expect(report).toMatchObject({
      objects: [{ key: 'hr/a.txt', counts: { EMAIL: 1 }, size: 37 }],
      folders: [{ folder: 'hr', objects: 1, findings: 1 }],
      types: [{ detector: 'EMAIL', category: 'contact', objects: 1, findings: 1, samples: [{ line: 3 }] }],
      baseline: { new: 1, known: 2, moved: 1, gone: 1 },
    });
    expect(Object.values(report.tiers).reduce((sum, count) => sum + count)).toBe(1);
  });

  it('evaluates policies on new findings alone', async () => {
    const source = createMemorySource({ 'a.txt': 'SSN: 219-09-1234' });
    const choice = await choose(source);
    source.put(keyOf('b.txt'), 'SSN: 219-09-4321');
    const after = await scan(source);
    const whole = await readReport(db, after);
    const { report } = await seen(after, choice);
    expect(whole.policies.length).toBeGreaterThan(0);
    expect(report.policies.map(({ policy }) => policy)).toEqual(whole.policies.map(({ policy }) => policy));
    for (const { objects, because, worst } of report.policies)
      expect({ objects, because, worst }).toMatchObject({
        objects: 1,
        because: { SSN: 1 },
        worst: [{ key: 'b.txt' }],
      });
  });

  it('compares counts where more was found than is kept', async () => {
    const mails = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@example.com`).join('\n');
    const source = createMemorySource({ 'a.txt': mails(120) });
    const choice = await choose(source);
    source.put(keyOf('a.txt'), `first@example.com\n${mails(124)}`);
    const { report, findings } = await seen(await scan(source), choice);
    expect(findings).toEqual([]);
    expect(report).toMatchObject({ types: [{ findings: 5 }], baseline: { new: 5, known: 120 } });
  });

  it('supports names that are not valid UTF-8', async () => {
    const source = createMemorySource({});
    source.put(keyFromBytes(Uint8Array.of(0x61, 0xe9)), 'ann@example.com');
    const choice = await choose(source);
    const { report } = await seen(await scan(source), choice);
    expect(report.baseline).toMatchObject({ new: 0, known: 1, moved: 0 });
  });
});

describe('a baseline', () => {
  it('outlives its scan', async () => {
    const source = createMemorySource(FILES);
    const choice = await baseline(source);
    await db.query('delete from lease_group');
    const after = await scan(source);
    const totals = await compareWithBaseline(db, choice, after, async ({ summary }) => totalsOf(summary));
    expect(totals).toEqual({ new: 0, gone: 0, moved: 0, unchanged: 3 });
  });

  it('is replaced only on request, listed and removed', async () => {
    const of = await scan(createMemorySource(FILES));
    const wish = { name: 'main', by: 'ada', replace: false };
    await createBaseline(db, of, wish);
    await expect(createBaseline(db, of, wish)).rejects.toThrow('Baseline main already exists.');
    await createBaseline(db, of, { ...wish, replace: true });
    expect(await listBaselines(db, 'default')).toMatchObject([
      { name: 'main', scan: of.id, objects: 3, findings: 3, createdBy: 'ada' },
    ]);
    expect(await listBaselines(db, 'other')).toEqual([]);
    expect(await removeBaseline(db, 'default', 'main')).toBe(true);
    expect(await removeBaseline(db, 'default', 'main')).toBe(false);
  });

  it('is not made of a scan that has not ended', async () => {
    const of = await scan(createMemorySource(FILES));
    expect(() =>
      createBaseline(db, { ...of, finishedAt: null }, { name: 'x', by: 'ada', replace: false }),
    ).toThrow(/has not ended/);
  });
});
