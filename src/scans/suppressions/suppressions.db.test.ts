import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan, recordingJobs } from '../../../test/support/scan.ts';
import { type WholeScan, wholeScan } from '../../../test/support/whole-scan.ts';
import { keyOf } from '../../base/key.ts';
import { type Database, many } from '../../db/database.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { parseFindingId } from '../results/finding-id.ts';
import { readReport } from '../results/report-store.ts';
import { unusedSuppressions } from './hit-store.ts';
import { matchOf, suppress } from './suppress.ts';
import type { NewSuppression, SuppressionMatch } from './suppression.ts';
import { acceptedBy, listSuppressions, readSuppression, removeSuppression } from './suppression-store.ts';

const by = { tenant: 'default', user: 'ada@desk' };
const ANY: SuppressionMatch = {
  detector: 'EMAIL',
  fingerprint: null,
  path: null,
  source: null,
  object: null,
};

let db: Database;
beforeEach(async () => {
  db = await freshDatabase();
});
afterEach(() => db.close());

const entry = (match: Partial<SuppressionMatch>, more: Partial<NewSuppression> = {}): NewSuppression => ({
  ...ANY,
  ...match,
  reason: 'a test account',
  owner: 'team-mail',
  expiresAt: null,
  ...more,
});

interface Scanned extends WholeScan {
  readonly id: number;
  readonly counts: Record<string, unknown>;
}

async function scan(source: MemorySource): Promise<Scanned> {
  const whole = await wholeScan(db, source);
  const { id } = whole.scan;
  const rows = await many<{ path: string }>(
    db,
    'select path, counts, suppressed, tier from object_result where scan_id = $1',
    [id],
  );
  return { ...whole, id, counts: Object.fromEntries(rows.map(({ path, ...row }) => [path, row])) };
}

const handleOf = (scanned: Scanned, masked: string) =>
  parseFindingId(
    scanned.findings.find((finding) => finding.masked === masked || finding.key === masked)!.handle,
  );

describe('a suppressed finding', () => {
  it('is in no count, score or tier, and is counted apart', async () => {
    const source = createMemorySource({
      'a.txt': 'ann@example.com bob@example.com',
      'b.txt': 'ann@example.com',
    });
    const first = await scan(source);
    const match = await matchOf(db, 'default', handleOf(first, 'b.txt'), { thisObjectOnly: false });
    await suppress(db, by, entry(match));
    const second = await scan(source);
    expect(second.counts).toMatchObject({
      'a.txt': { counts: { EMAIL: 1 }, suppressed: { EMAIL: 1 } },
      'b.txt': { counts: {}, suppressed: { EMAIL: 1 }, tier: null },
    });
    const report = await readReport(db, (await readScan(db, second.id))!);
    expect(report.suppressed).toEqual({ findings: 2, suppressions: 1 });
    expect(report.types).toMatchObject([{ detector: 'EMAIL', findings: 1 }]);
  });

  it('is still suppressed when it moves to another line and another file', async () => {
    const first = await scan(createMemorySource({ 'a.txt': 'ann@example.com' }));
    await suppress(
      db,
      by,
      entry(await matchOf(db, 'default', handleOf(first, 'a.txt'), { thisObjectOnly: false })),
    );
    const moved = await scan(createMemorySource({ 'dir/z.txt': 'one\ntwo ann@example.com' }));
    expect(moved.findings).toEqual([]);
    expect(moved.counts).toMatchObject({ 'dir/z.txt': { suppressed: { EMAIL: 1 } } });
  });

  it('with --this-object-only, is accepted in its object only', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com', 'b.txt': 'ann@example.com' });
    const match = await matchOf(db, 'default', handleOf(await scan(source), 'a.txt'), {
      thisObjectOnly: true,
    });
    expect(match).toMatchObject({ source: source.id, object: keyOf('a.txt') });
    await suppress(db, by, entry(match));
    expect((await scan(source)).findings.map(({ key }) => key)).toEqual(['b.txt']);
  });
});

describe('unchanged objects', () => {
  const files = {
    'a.txt': 'ann@example.com',
    'b.txt': 'bob@example.com',
    'clean.txt': 'nothing',
    'd.txt': 'SSN: 219-09-1234',
  };

  it('are read again only if a new or a lost suppression is about them', async () => {
    const source = createMemorySource(files);
    const first = await scan(source);
    expect(first.read).toEqual(Object.keys(files));
    const { id } = await suppress(
      db,
      by,
      entry(await matchOf(db, 'default', handleOf(first, 'a.txt'), { thisObjectOnly: false })),
    );
    const second = await scan(source);
    expect(second.read).toEqual(['a.txt']);
    expect((await scan(source)).read).toEqual([]);
    await removeSuppression(db, 'default', id, 'ada');
    const third = await scan(source);
    expect(third.read).toEqual(['a.txt']);
    expect(third.findings.map(({ handle: _, scan: __, ...same }) => same)).toEqual(
      first.findings.map(({ handle: _, scan: __, ...same }) => same),
    );
  });

  it('are read again where a path entry covers them', async () => {
    const source = createMemorySource({
      ...files,
      'test/a.txt': 'ann@example.com',
      'test/ssn.txt': 'SSN: 219-09-1234',
    });
    await scan(source);
    await suppress(db, by, entry({ path: 'test/**' }));
    expect((await scan(source)).read).toEqual(['test/a.txt']);
  });

  it('are read again where more was found than is kept', async () => {
    const many = Array.from({ length: 120 }, (_, n) => `a${n}@example.com`).join(' ');
    const source = createMemorySource({ 'a.txt': 'ann@example.com', 'many.txt': `${many} ann@example.com` });
    const first = await scan(source);
    await suppress(
      db,
      by,
      entry(await matchOf(db, 'default', handleOf(first, 'a.txt'), { thisObjectOnly: false })),
    );
    const second = await scan(source);
    expect(second.read).toEqual(['a.txt', 'many.txt']);
    expect(second.counts).toMatchObject({ 'many.txt': { counts: { EMAIL: 120 }, suppressed: { EMAIL: 1 } } });
  });
});

describe('a suppression', () => {
  it('that has expired accepts nothing more, and can be made again', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com' });
    const old = await suppress(db, by, entry({ path: '*' }, { expiresAt: new Date('2020-01-01') }));
    expect((await scan(source)).findings).toHaveLength(1);
    expect((await readSuppression(db, 'default', old.id))!.expired).toBe(true);
    const anew = await suppress(db, by, entry({ path: '*' }));
    expect(anew).toMatchObject({ isNew: true });
    expect((await scan(source)).findings).toEqual([]);
    expect(await suppress(db, by, entry({ path: '*' }))).toEqual({ id: anew.id, isNew: false });
  });

  it('holds for a running scan as it was when the scan began', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com' });
    const { id } = await suppress(db, by, entry({ path: '*' }));
    const running = await plannedScan(db, source);
    await removeSuppression(db, 'default', id, 'ada');
    await suppress(db, by, entry({ path: 'a.txt' }));
    expect((await acceptedBy(db, running)).map((accepted) => accepted.id)).toEqual([id]);
  });

  it('of another source or tenant is not in force', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com' });
    await suppress(db, by, entry({ path: '*', source: 'fs:/elsewhere' }));
    await suppress(db, { ...by, tenant: 'other' }, entry({ path: '*' }));
    expect((await scan(source)).findings).toHaveLength(1);
  });

  it('counts its hits once for each scan, also when the scan ends again', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com bob@example.com' });
    const { id } = await suppress(db, by, entry({ path: '*' }));
    const first = await scan(source);
    expect(await readSuppression(db, 'default', id)).toMatchObject({ hits: 2, lastHitScan: first.id });
    await db.query(`update scan set status = 'finalizing' where id = $1`, [first.id]);
    await finalizeScan(db, recordingJobs(db).jobs, first.id);
    expect(await readSuppression(db, 'default', id)).toMatchObject({ hits: 2 });
    await scan(source);
    expect(await readSuppression(db, 'default', id)).toMatchObject({ hits: 4 });
  });

  it('is unused after so many scans without a hit, not before', async () => {
    const source = createMemorySource({ 'a.txt': 'ann@example.com' });
    const used = await suppress(db, by, entry({ path: '*' }));
    const idle = await suppress(db, by, entry({ path: 'gone.txt' }));
    await scan(source);
    expect(await unusedSuppressions(db, 'default', 2)).toEqual([]);
    await scan(source);
    expect(await unusedSuppressions(db, 'default', 2)).toEqual([{ id: idle.id, scans: 2 }]);
    await removeSuppression(db, 'default', idle.id, 'ada');
    expect(await unusedSuppressions(db, 'default', 2)).toEqual([]);
    expect(await listSuppressions(db, 'default', { all: false, after: 0, limit: 9 })).toMatchObject([
      { id: used.id },
    ]);
    expect(await listSuppressions(db, 'default', { all: true, after: 0, limit: 9 })).toMatchObject([
      { id: used.id, removedAt: null },
      { id: idle.id, removedBy: 'ada' },
    ]);
  });
});
