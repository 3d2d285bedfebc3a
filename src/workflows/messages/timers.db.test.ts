/** When timers are due: they count from the event that set them, however late it was reacted to. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { defineWorkflow } from '../define.ts';
import { at, type Effect, after as later } from '../effects.ts';
import { type Runner, startRunner } from '../runner/runner.ts';

type Step = { readonly type: 'start' | 'fire' };

let db: Database & { url: string };
let advance: (ms: number) => Promise<void>;
let runner: Runner | null = null;
beforeAll(async () => {
  db = await freshDatabase(8);
  advance = await movableClock(db);
});
afterEach(async () => {
  await runner?.stop(0);
  runner = null;
});
afterAll(() => db.close());

const HOUR = 3_600_000;

function timed(name: string, effect: (at: Date) => Effect<Step>) {
  return defineWorkflow<readonly string[], Step, Step>({
    name,
    initial: () => [],
    decide: (_, command) => command,
    evolve: (state, { type }) => [...state, type],
    react: (event, _, { at: when }) => (event.type === 'start' ? effect(when) : []),
  });
}

async function begin(workflow: ReturnType<typeof timed>): Promise<void> {
  await handleCommands(db, workflow, [{ tenant: 'default', id: 'a', command: { type: 'start' } }]);
}

async function run(workflow: ReturnType<typeof timed>): Promise<void> {
  runner = await startRunner(db, { workflows: [workflow], leaseMs: 1e9, pollMs: 20 });
}

/** Milliseconds from the event to the timer that it set. */
async function waitOf(workflow: string): Promise<number | undefined> {
  const rows = await many<{ ms: number }>(
    db,
    `select round(extract(epoch from due_at - event.at) * 1000)::integer as ms
     from message join event on event.workflow = message.workflow and event.version = 1
     where message.workflow = $1`,
    [workflow],
  );
  return rows[0]?.ms;
}

async function firings(workflow: string): Promise<number> {
  const rows = await many(db, `select from event where workflow = $1 and type = 'fire'`, [workflow]);
  return rows.length;
}

describe('a timer', () => {
  it('of two hours is due one hour later when its event was reacted to an hour late', async () => {
    const workflow = timed('late', () => later({ hours: 2 }, { type: 'fire' }));
    await begin(workflow);
    await advance(HOUR);
    await run(workflow);
    await expect.poll(() => waitOf('late'), { timeout: 20_000 }).toBe(2 * HOUR);
    await advance(HOUR);
    await expect.poll(() => firings('late'), { timeout: 20_000 }).toBe(1);
  });

  it('whose time had passed before its event was reacted to fires at once', async () => {
    const workflow = timed('passed', () => later({ minutes: 5 }, { type: 'fire' }));
    await begin(workflow);
    await advance(HOUR);
    await run(workflow);
    await expect.poll(() => firings('passed'), { timeout: 20_000 }).toBe(1);
  });

  it('at a point in time is due then, wherever the runner stands', async () => {
    const workflow = timed('dated', (when) => at(new Date(when.getTime() + 3 * HOUR), { type: 'fire' }));
    await begin(workflow);
    await advance(HOUR);
    await run(workflow);
    await expect.poll(() => waitOf('dated'), { timeout: 20_000 }).toBe(3 * HOUR);
    await advance(2 * HOUR);
    await expect.poll(() => firings('dated'), { timeout: 20_000 }).toBe(1);
  });
});
