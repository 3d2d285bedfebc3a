import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, shardDeps } from '../../../test/support/scan.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { DEFAULT_RULES, type RuleSet } from '../../governance/rule-set.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { readScan, type ScanRow } from '../lifecycle/scan-store.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { parseFindingId } from '../results/finding-id.ts';
import { findingsOf } from '../results/finding-store.ts';
import { runShard } from '../run-shard.ts';
import { explainFinding, type FindingExplanation } from './explain-finding.ts';

const rules: RuleSet = { ...DEFAULT_RULES, detectors: { include: ['EMAIL', 'SSN'], exclude: [] } };
const source = createMemorySource({
  'people.csv': 'name,ssn\nann,219-09-1234\n',
  'note.txt': 'her SSN: 219-09-4321, mail ann@mail.org',
});

let db: Database;
let scan: ScanRow;
const handles = new Map<string, string>();

beforeAll(async () => {
  db = await freshDatabase();
  const { jobs } = recordingJobs(db);
  const id = await plannedScan(db, source, [FULL_RANGE], rules);
  const held = (await claimLease(db, { kind: SHARD, groupId: id, holder: randomUUID(), ttlMs: 60_000 }))!;
  await runShard(
    held,
    shardDeps(db, source, jobs, { queue: inspectInProcess(source, undefined, [], rules) }),
    new AbortController().signal,
  );
  scan = (await readScan(db, id))!;
  for await (const { object, finding } of findingsOf(db, scan))
    handles.set(`${object.key} ${finding.detector}`, finding.handle);
}, 120_000);
afterAll(() => db.close());

function explained(what: string): Promise<FindingExplanation> {
  return explainFinding(db, scan, parseFindingId(handles.get(what)!));
}

describe('a finding is explained', () => {
  it('by its parts, which add up', async () => {
    const { confidence, checks, anchors, detector } = await explained('note.txt SSN');
    const { base, context, total, threshold } = confidence;
    expect(Math.round((base! + context!) * 100)).toBe(Math.round(total * 100));
    expect(total).toBeGreaterThanOrEqual(threshold);
    expect(checks).toContain('pattern');
    expect(anchors.length).toBeGreaterThan(0);
    expect(detector!.title).toMatch(/Social Security/);
  });

  it('by the field that names it, and the word in its name', async () => {
    const { context } = await explained('people.csv SSN');
    expect(context).toEqual([{ by: 'field name', word: 'ssn' }]);
  });

  it('by a word before it, of which only the fact was kept', async () => {
    const { context } = await explained('note.txt SSN');
    expect(context).toEqual([{ by: 'context word', word: null }]);
  });

  it('with what its object comes to, as it was stored', async () => {
    const { object } = await explained('note.txt SSN');
    const { rows } = await db.query<{ score: number }>(
      `select score from object_result where scan_id = $1 and path = 'note.txt'`,
      [scan.id],
    );
    expect(object.score!.score).toBe(rows[0]!.score);
    expect(object.score!.parts.map(({ detector }) => detector)).toEqual(['EMAIL', 'SSN']);
  });

  it('without a trace of the value', async () => {
    for (const what of handles.keys())
      expect(JSON.stringify(await explained(what))).not.toMatch(/219-09|2190|ann@mail/);
  });

  it('also if its scan kept no parts', async () => {
    await db.query('update finding set features = null');
    const { confidence, contested } = await explained('note.txt EMAIL');
    expect(confidence).toMatchObject({ base: null, context: null });
    expect(contested).toEqual([]);
  });

  it('or an unknown handle is reported', async () => {
    await expect(explainFinding(db, scan, { scan: scan.id, object: 1, n: 999 })).rejects.toThrow(
      /No finding/,
    );
  });
});
