import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { plannedScan, rememberedJobs } from '../../test/support/scan.ts';
import type { Database } from '../db/database.ts';
import { placeOf } from '../engine/workers/worker.ts';
import { createMemorySource } from '../sources/memory/memory.ts';
import { pauseScan } from './control.ts';
import type { ExportSettings } from './hooks/hook.ts';
import { addHooks, readHooks } from './hooks/hook-store.ts';
import { findResumable, resumeScan } from './resume.ts';

let db: Database;
let jobs: ReturnType<typeof rememberedJobs>['jobs'];
beforeAll(async () => {
  db = await freshDatabase();
  jobs = rememberedJobs(db).jobs;
});
afterAll(() => db.close());

const paused = async () => {
  const scan = await plannedScan(db, createMemorySource({ a: 'x' }, { id: `memory:${randomUUID()}` }));
  await pauseScan(db, scan, 'paused');
  return scan;
};

const exportTo = (place: string | null): ExportSettings => ({
  kind: 'export',
  name: 'export /srv/exports',
  target: '/srv/exports',
  format: 'jsonl',
  on: ['completed'],
  place,
});

describe('a scan that goes on in another place', () => {
  it('takes its exports along, unless all places see them', async () => {
    const scan = await paused();
    await db.tx((tx) => addHooks(tx, scan, [exportTo('elsewhere'), exportTo(null)]));
    await resumeScan(db, jobs, await findResumable(db, 'default', scan), null, 'old');
    const places = (await readHooks(db, scan)).map(({ settings }) => (settings as ExportSettings).place);
    expect(places).toEqual([placeOf(), null]);
  });
});
