/**
 * Dead letters that belong to no scan: those of actions, from the failure to the end of the retry, and in
 * the command line.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, temporaryFolder } from '../../../test/support/database.ts';
import { runSeine } from '../../../test/support/seine.ts';
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import { startJobs } from '../../engine/jobs/jobs.ts';
import {
  historyOf,
  processes,
  reaches,
  readAction,
  requestActions,
  until,
  workflowWith,
} from '../../workflows/actions/action.fixture.ts';
import { cancelActions } from '../../workflows/actions/action-store.ts';
import { groupLetters, listLetters, purgeLetters } from './letter-store.ts';
import { retryActionLetters, retryLetters } from './retry.ts';

let db: Database & { url: string };
let runners: ReturnType<typeof processes>;
let kind: string;
const folder = temporaryFolder();
beforeAll(async () => {
  db = await freshDatabase(10);
  runners = processes(db);
});
beforeEach(async () => {
  kind = `k${randomUUID()}`;
  await db.query('delete from dead_letter');
});
afterEach(() => runners.stop());
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const all = { tenant: 'default' };
const refused = async (): Promise<never> => {
  throw new SeineError('permission', 'card 4711 was refused');
};
const lettersNow = () => listLetters(db, all, { limit: 10 });

/** It has failed permanently and is not run any more. */
async function failed(id = 'order-17') {
  const { key, actions } = await requestActions(db, kind, id, [{ name: 'charge' }]);
  runners.start(workflowWith(kind, { charge: refused }));
  await reaches(db, actions[0]!, 'failed');
  await runners.stop();
  return { key, id: actions[0]! };
}

const stateIs = (state: string) => until(async () => (await lettersNow())[0]?.state === state);

describe('an action that failed for good', () => {
  it('is among the dead letters, without a scan', async () => {
    await failed();
    expect(await lettersNow()).toMatchObject([
      {
        scan: null,
        source: null,
        kind: 'action',
        path: `${kind}/order-17 charge`,
        reason: 'card 4711 was refused',
        signature: 'card # was refused',
        attempts: 1,
        state: 'open',
        evidence: { workflow: kind, id: 'order-17', action: 'charge', version: 1, n: 0 },
      },
    ]);
    await failed('order-18');
    expect(await groupLetters(db, all)).toMatchObject([{ scan: null, kind: 'action', letters: 2 }]);
    expect(await listLetters(db, { ...all, kind: 'object' }, { limit: 9 })).toEqual([]);
    expect(await listLetters(db, { ...all, scan: 1 }, { limit: 9 })).toEqual([]);
    expect(await purgeLetters(db, { ...all, kind: 'action' })).toBe(2);
  });

  it('that is retried is pending with fresh attempts, and its letter is resolved when it completes', async () => {
    const { key, id } = await failed();
    expect(await retryActionLetters(db, all)).toEqual({ letters: 1, tooLate: 0 });
    expect(await readAction(db, id)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await lettersNow()).toMatchObject([{ state: 'retrying', retriedAt: expect.any(Date) }]);
    expect(await retryActionLetters(db, all)).toEqual({ letters: 0, tooLate: 0 });
    runners.start(workflowWith(kind, { charge: async (_, { attempt }) => attempt }));
    await stateIs('resolved');
    expect(await historyOf(db, key)).toEqual([
      ['charge.failed', { error: 'card 4711 was refused', attempts: 1 }],
      ['charge.done', { result: 1 }],
    ]);
  });

  it('that fails again has its letter reopened, with all its attempts', async () => {
    await failed();
    await retryActionLetters(db, all);
    const run = () => Promise.reject(new Error('no answer'));
    runners.start(workflowWith(kind, { charge: { run, attempts: 2, firstWait: 0 } }));
    await stateIs('open');
    expect(await lettersNow()).toMatchObject([{ reason: 'no answer', attempts: 3 }]);
  });

  it("can't be retried when its workflow has ended: the letter stays open", async () => {
    const { key, id } = await failed();
    await db.query(`update workflow set status = 'completed' where key = $1`, [key]);
    expect(await retryActionLetters(db, all)).toEqual({ letters: 0, tooLate: 1 });
    expect(await lettersNow()).toMatchObject([{ state: 'open' }]);
    expect(await readAction(db, id)).toMatchObject({ state: 'failed' });
  });

  it('whose retry is cancelled has its letter reopened', async () => {
    const { key } = await failed();
    await retryActionLetters(db, all);
    await db.tx((tx) => cancelActions(tx, [key]));
    expect(await lettersNow()).toMatchObject([{ state: 'open' }]);
  });

  it('is not affected by retries of scans', async () => {
    await failed();
    const jobs = await startJobs(db, {}, { onError: () => {}, onDeadLetter: async () => {} });
    expect(await retryLetters(db, jobs, all)).toEqual({ letters: 0, scans: [], ends: [] });
    await jobs.stop();
    expect(await lettersNow()).toMatchObject([{ state: 'open' }]);
  });
});

describe('seine deadletter', () => {
  const seine = (...words: string[]) =>
    runSeine(['deadletter', ...words], { env: { DATABASE_URL: db.url, SEINE_DATA: folder }, cwd: folder });

  it('shows, retries and purges letters without a scan', async () => {
    const { key } = await failed();
    const [letter] = await lettersNow();
    const list = await seine('list', '--kind', 'action');
    expect(list).toMatchObject({ code: 0 });
    expect(list.stdout).toMatch(
      new RegExp(`${letter!.id} +- +action +open +1 +${kind}/order-17 charge +card 4711`),
    );
    const show = await seine('show', String(letter!.id));
    expect(show.stdout).toContain(`action of workflow ${kind}/order-17\n`);
    expect((await seine('analyze')).stdout).toMatch(/1 +- +action +card # was refused/);
    expect(JSON.parse((await seine('export')).stdout)).toMatchObject({ id: letter!.id, scan: null });
    const retry = await seine('retry', '--yes');
    expect(retry).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Workflow runners will execute 1 action'),
    });
    expect(await lettersNow()).toMatchObject([{ state: 'retrying' }]);
    await db.tx((tx) => cancelActions(tx, [key]));
    await db.query(`update workflow set status = 'cancelled' where key = $1`, [key]);
    expect((await seine('retry', '--yes')).stderr).toContain("can't be retried: the workflow has ended");
    expect((await seine('purge', '--yes')).stderr).toContain('1 dead letter deleted');
  });
});
