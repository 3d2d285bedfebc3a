/** Runners are killed, paused and cut off from their database while they work: each effect happens once, and no event is skipped. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { many, one } from '../../src/db/database.ts';
import { peakMemory, serverProcesses } from '../support/processes.ts';
import { CHECKOUT } from '../support/seine.ts';
import { waitFor } from '../support/wait-for.ts';
import { killRunnersInTurn } from '../support/workflows/kill-runners.ts';
import {
  type Audit,
  faultsOf,
  openRunners,
  type RunnerProcess,
  type Runners,
} from '../support/workflows/runners.ts';

const LEASE_MS = 1000;
/** A lease that must not expire: longer than a busy machine delays a process. */
const PATIENT = { env: { STEADY_LEASE_MS: '15000' } };
let runners: Runners;
beforeAll(async () => {
  runners = await openRunners(LEASE_MS);
});
afterEach(() => runners.clear());
afterAll(() => runners.close());

const ids = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`);

function expectWhole(audit: Audit): void {
  expect(faultsOf(audit)).toEqual([]);
}

/** Without crashes no action is called twice either. */
function expectCalm(audit: Audit): void {
  expectWhole(audit);
  expect(audit.again).toBe(0);
}

describe('kill -9 of one runner after the other, each replaced by a new one', () => {
  it('in slots', async () => {
    const { audit, kills } = await killRunnersInTurn(runners, {
      kills: 6,
      partitions: [null, null, null],
    });
    expect(kills).toBe(6);
    expectWhole(audit);
  });

  it('in static partitions', async () => {
    const { audit, kills } = await killRunnersInTurn(runners, {
      kills: 6,
      partitions: ['0/3', '1/3', '2/3'],
    });
    expect(kills).toBe(6);
    expectWhole(audit);
  });
});

describe('two runners of one partition', () => {
  it('share nothing: one works, and the other takes over when it is killed', async () => {
    const pair = [await runners.start({ partition: '0/1' }), await runners.start({ partition: '0/1' })];
    await runners.send(ids(50));
    await runners.done(50);
    const first = await holder();
    pair.find(({ pid }) => pid === first.pid)!.kill('SIGKILL');
    await runners.send(ids(50));
    const audit = await runners.settled();
    expectWhole(audit);
    expect((await holder()).pid).not.toBe(first.pid);
  });
});

describe('a runner that is suspended beyond its lease', () => {
  it('finds its part taken when it wakes up, and writes nothing', async () => {
    const zombie = await runners.start({ partition: '0/1' });
    await runners.send(ids(50));
    await runners.done(50);
    const first = await holder();
    await runners.start({ partition: '0/1', ...PATIENT }); // the runner that takes over does not lose it again
    for (let n = 0; n < 5; n++) await runners.send(ids(50)); // it is busy when it stops
    zombie.kill('SIGSTOP');
    const next = await waitFor(runners.db, 'another holder', async () => {
      const now = await holder();
      return now.token > first.token ? now : null;
    });
    await runners.send(ids(50));
    await runners.done(200);
    zombie.kill('SIGCONT');
    await runners.send(ids(50));
    expectWhole(await runners.settled());
    expect(await holder()).toEqual(next);
  });

  it('joins again in slots', async () => {
    const [one, other] = [await runners.start(), await runners.start()];
    await runners.send(ids(100));
    await runners.done(100);
    for (let n = 0; n < 5; n++) await runners.send(ids(100));
    one.kill('SIGSTOP');
    await held(other, 256);
    one.kill('SIGCONT');
    await runners.send(ids(100));
    await held(other, 128);
    await runners.send(ids(100));
    expectWhole(await runners.settled());
  });
});

describe('what else goes wrong', () => {
  it('PostgreSQL is killed and restarted: they continue', async () => {
    await runners.start();
    await runners.start();
    for (let n = 0; n < 5; n++) await runners.send(ids(100));
    await runners.done(50);
    const server = serverProcesses(runners.data);
    expect(server.length).toBeGreaterThan(0);
    for (const pid of server) end(pid);
    await waitFor(runners.db, 'the database', () => runners.send(ids(1)).then(() => true));
    for (let n = 0; n < 3; n++) await runners.send(ids(100));
    expectWhole(await runners.settled());
  });

  it('a runner whose clock is wrong by a day changes nothing', async () => {
    const shifted = `--import=${join(CHECKOUT, 'test/support/shifted-clock.mjs')}`;
    await runners.start({ env: { ...PATIENT.env, NODE_OPTIONS: shifted } });
    await runners.start(PATIENT);
    for (let n = 0; n < 5; n++) await runners.send(ids(200));
    expectCalm(await runners.settled());
  });

  it('a slow action continues while the slot of its workflow moves to another runner', async () => {
    const first = await runners.start(PATIENT);
    await runners.send(ids(20), { type: 'step', slowMs: 3000 });
    await waitFor(runners.db, 'the actions to run', async () =>
      (await count(`select count(*) as n from action where state = 'running'`)) === 20 ? true : null,
    );
    const second = await runners.start(PATIENT);
    await held(second, 128);
    expectCalm(await runners.settled());
    const pids = await many<{ pid: number }>(runners.db, 'select distinct pid from outside');
    expect(pids).toEqual([{ pid: first.pid }]);
  });

  it('one workflow has 20,000 events: they are reacted to and loaded in flat memory', async () => {
    const runner = await runners.start(PATIENT);
    await runners.send(['w0']);
    await runners.done(1);
    const before = peakMemory(runner.pid)!;
    for (let n = 0; n < 20; n++) await runners.send(['long'], { type: 'walk', steps: 1000 });
    const audit = await runners.settled();
    expectCalm(audit);
    expect(audit.events).toBe(20_000 + 20 + 2);
    const late = await runners.start(PATIENT);
    runner.kill('SIGTERM');
    expect(await runner.ended).toBe(0);
    await runners.send(['long']); // folded again, by a new runner
    expectCalm(await runners.settled());
    expect(peakMemory(late.pid)!).toBeLessThan(before + 100);
  });
});

interface Holder {
  readonly pid: number;
  readonly token: number;
}

function holder(): Promise<Holder> {
  return one<Holder>(
    runners.db,
    `select worker.pid, lease.fencing_token as token from range_lease as lease join worker on worker.id = lease.holder where lease.state = 'held'`,
  );
}

/** Until this one holds so many slots. */
function held({ pid }: RunnerProcess, slots: number): Promise<true> {
  return waitFor(runners.db, `runner ${pid} to hold ${slots} slots`, async () => {
    const n = await count(
      `select count(*) as n from range_lease as lease join worker on worker.id = lease.holder
       where lease.state = 'held' and lease.expires_at >= clock() and worker.pid = ${pid}`,
    );
    return n === slots ? true : null;
  });
}

async function count(sql: string): Promise<number> {
  return (await one<{ n: number }>(runners.db, sql)).n;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went by itself, after its parent.
  }
}
