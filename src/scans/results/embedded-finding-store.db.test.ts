import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, shardDeps } from '../../../test/support/scan.ts';
import { keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { DEFAULT_RULES, type RuleSet } from '../../governance/rule-set.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { runShard } from '../run-shard.ts';
import { readWorstEmbedded } from './embedded-finding-store.ts';
import { type ObjectRecord, objectsOf } from './finding-store.ts';

const rules: RuleSet = { ...DEFAULT_RULES, detectors: { include: ['EMAIL', 'SSN'], exclude: [] } };
const source = createMemorySource({
  'bad.eml': 'From: x\n\nSSN: 219-09-7777',
  'worse.eml': 'From: x\n\nann@mail.org, SSN: 219-09-1234, SSN: 219-09-4321',
  'holiday.jpg': 'nothing but text',
  'letter.pdf': 'SSN: 219-09-4321',
  'notes.txt': 'nothing',
});
source.put(keyOf('dump.sql.gz'), gzipSync('-- her SSN: 219-09-1234\n'));

let db: Database;
let scan: number;
const objects = new Map<string, ObjectRecord>();

beforeAll(async () => {
  db = await freshDatabase();
  scan = await plannedScan(db, source, [FULL_RANGE], rules);
  const held = (await claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 }))!;
  const queue = inspectInProcess(source, undefined, [], rules);
  const tools = shardDeps(db, source, recordingJobs(db).jobs, { queue });
  await runShard(held, tools, new AbortController().signal);
  for await (const page of objectsOf(db, scan)) for (const object of page) objects.set(object.key, object);
}, 120_000);
afterAll(() => db.close());

describe('what a scan keeps of the insides of objects', () => {
  it('is the highest-weighted finding of the worst of each kind, with its position', async () => {
    const insides = await readWorstEmbedded(db, scan, ['SSN', 'EMAIL']);
    const position = { part: '#body', line: 1 };
    expect(insides).toEqual([{ detector: 'SSN', masked: '•••-••-1234', key: 'worse.eml', ...position }]);
  });

  it('is a note for a misleading name, also without findings', () => {
    expect(objects.get('letter.pdf')).toMatchObject({
      tier: expect.any(String),
      note: 'named .pdf, is text',
    });
    expect(objects.get('holiday.jpg')).toMatchObject({
      outcome: 'scanned',
      tier: null,
      note: 'named .jpg, is text',
    });
    expect(objects.has('notes.txt')).toBe(false);
  });
});
