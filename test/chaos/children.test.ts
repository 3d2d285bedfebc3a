/** Runners are killed while parents start children and both end: each child starts once, and its end is one event of its parent. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { many, one } from '../../src/db/database.ts';
import { family } from '../../src/workflows/children/family.fixture.ts';
import { WorkflowClient } from '../../src/workflows/client.ts';
import { CHECKOUT } from '../support/seine.ts';
import { waitFor } from '../support/wait-for.ts';
import { openRunners, type Runners } from '../support/workflows/runners.ts';

const LEASE_MS = 1000;
const FAMILIES = 150;
const KILLS = 8;
const main = join(CHECKOUT, 'test/support/workflows/family-runner.ts');
const { parent, job } = family('kin');
let runners: Runners;
beforeAll(async () => {
  runners = await openRunners(LEASE_MS);
});
afterAll(() => runners.close());

const count = async (sql: string) =>
  (await one<{ n: number }>(runners.db, `select count(*) as n from ${sql}`)).n;
const all = <T>(make: (n: number) => T): T[] => Array.from({ length: FAMILIES }, (_, n) => make(n));

async function kill(turn: number): Promise<void> {
  const victim = runners.processes[turn % runners.processes.length]!;
  victim.kill('SIGKILL');
  await victim.ended;
  await runners.start({ main });
}

describe('kill -9 of one runner after the other while workflows start children', () => {
  it('no child starts twice, no end is lost or delivered twice, and none outlives its parent', async () => {
    const { db } = runners;
    const client = new WorkflowClient(db);
    for (let n = 0; n < 3; n++) await runners.start({ main });
    const until = (what: string, condition: () => Promise<boolean>) =>
      waitFor(db, what, async () => ((await condition()) ? true : null));
    const killing = async (what: string, left: () => Promise<number>) => {
      for (let turn = 0; turn < KILLS / 2; turn++) {
        const before = await left();
        await until(`progress: ${what}`, async () => before === 0 || (await left()) < before);
        await kill(turn);
      }
      await until(what, async () => (await left()) === 0);
    };
    await client.sendAll(
      parent,
      all((n) => ({ id: `p${n}`, command: { type: 'start', id: `c${n}` } })),
    );
    const begun = async () => FAMILIES - (await count(`workflow where name = '${job.name}'`));
    await killing('all children to begin', begun);
    await client.sendAll(
      job,
      all((n) => ({ id: `c${n}`, command: { type: 'start', id: `g${n}` } })),
    );
    await until('all grandchildren to begin', async () => (await begun()) === -FAMILIES);
    // A third completes, a third fails, and of a third the parent ends first.
    const ending = all((n) => n);
    await client.sendAll(
      job,
      ending
        .filter((n) => n % 3 !== 0)
        .map((n) => ({
          id: `c${n}`,
          command: n % 3 === 1 ? { type: 'finish', result: `r${n}` } : { type: 'give up' },
        })),
    );
    await client.sendAll(
      parent,
      ending.filter((n) => n % 3 === 0).map((n) => ({ id: `p${n}`, command: { type: 'end' } })),
    );
    await killing('all ends to be delivered', () => count('child where told_at is null'));
    const third = FAMILIES / 3;
    expect(await many(db, `select outcome, count(*) as n from child group by 1 order by 1`)).toEqual([
      { outcome: 'cancelled', n: FAMILIES + third },
      { outcome: 'completed', n: third },
      { outcome: 'failed', n: third },
    ]);
    expect(
      await many(
        db,
        `select workflow_key, type from event
         where type like 'job.%' or type in ('begun', 'workflow.cancelled')
         group by 1, 2 having count(*) > 1`,
      ),
    ).toEqual([]);
    expect(
      await many(
        db,
        `select type, count(*) as n from event where workflow = '${parent.name}' group by 1 order by 1`,
      ),
    ).toEqual([
      { type: 'ended', n: third },
      { type: 'job.completed', n: third },
      { type: 'job.failed', n: third },
      { type: 'wanted', n: FAMILIES },
    ]);
    expect(await count(`workflow where name = '${job.name}' and status = 'running'`)).toBe(0);
  });
});
