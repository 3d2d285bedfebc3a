/** Careful mode of projections: after claims without progress, attempts are counted before they are made, and nothing else runs. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { faultyDatabase, losingAnswers } from '../../../test/support/faulty-database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, one } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { defineWorkflow } from '../define.ts';
import type { Typed } from '../typed.ts';
import { CodeLock } from '../user-code/code-lock.ts';
import { registerProjection } from './control-projections.ts';
import { defineProjection, type ProjectionDefinition } from './projection.ts';
import { Projector } from './projector.ts';
import { type Projections, startProjections } from './run-projections.ts';

let db: Database & { url: string };
let name = '';
let tests = 0;
const running: Projections[] = [];
beforeAll(async () => {
  db = await freshDatabase(6);
});
beforeEach(() => {
  name = `careful${tests++}`;
});
afterEach(() => Promise.all(running.splice(0).map((projections) => projections.stop())));
afterAll(() => db.close());

const notes = () =>
  defineWorkflow<number, Typed, Typed>({
    name,
    initial: () => 0,
    decide: (_, command) => command,
    evolve: (count) => count + 1,
  });

async function projection(apply: ProjectionDefinition['apply'] = () => {}) {
  const defined = defineProjection({ name, from: [notes()], init: () => {}, reset: () => {}, apply });
  await registerProjection(db, defined, () => {});
  return defined;
}

async function write(...ids: string[]): Promise<void> {
  const commands = ids.map((id) => ({ tenant: 'default', id, command: { type: 'noted' } }));
  await handleCommands(db, notes(), commands);
  await settledLog(db);
}

/** As after claims by processes that crashed. */
const suspect = (claims: number) =>
  db.query(
    'update range_lease set claims_since_progress = $2 where id = (select lease_id from projection where name = $1)',
    [name, claims],
  );
const row = () =>
  one<{ setup: string; attempts: number; parked: boolean; error: string | null }>(
    db,
    'select setup, attempts, parked_at is not null as parked, error from projection where name = $1',
    [name],
  );

describe('an attempt counted in advance', () => {
  it('is taken back when the answer to the count was lost', async () => {
    let isFaulty = true;
    const on = losingAnswers(db, (_, params) => isFaulty && params.includes('The process crashed.'));
    const options = { holder: randomUUID(), ttlMs: 60_000, say: () => {} };
    const projector = new Projector(on, await projection(), options);
    await db.query(`update projection set setup = 'done' where name = $1`, [name]);
    await write('a');
    await projector.round().catch(() => {});
    await write('b');
    await suspect(3);
    await projector.reread();
    for (let n = 0; n < 7; n++) {
      await expect(projector.round()).rejects.toThrow('The connection was lost.');
      await projector.reread();
    }
    isFaulty = false;
    await repeatWhile('rounds of the projection', async () => 'applied' in (await projector.round()));
    expect(await row()).toEqual({ setup: 'done', attempts: 0, parked: false, error: null });
  });

  it.each(['init', 'done'])('is taken back after an outage, setup: %s', async (setup) => {
    let isDown = false;
    const on = faultyDatabase(db, async (_, connection) => {
      if (isDown && 'transaction' in connection)
        throw new SeineError('unavailable', 'The connection was lost.', { retry: true });
    });
    const projector = new Projector(on, await projection(), {
      holder: randomUUID(),
      ttlMs: 60_000,
      say: () => {},
    });
    if (setup === 'done') await projector.round();
    await write('a');
    await suspect(3);
    await projector.reread();
    isDown = true;
    let failed = 0;
    for (let n = 0; n < 7; n++)
      await projector.round().catch(async () => {
        failed++;
        await projector.reread();
      });
    expect(failed).toBeGreaterThan(5);
    expect(await row()).toEqual({ setup, attempts: 0, parked: false, error: null });
    isDown = false;
    await repeatWhile('rounds of the projection', async () => 'applied' in (await projector.round()));
    expect(await row()).toEqual({ setup: 'done', attempts: 0, parked: false, error: null });
  });

  it('remains counted when the projection itself failed', async () => {
    const failing = await projection(() => Promise.reject(new Error('not yet')));
    const projector = new Projector(db, failing, { holder: randomUUID(), ttlMs: 60_000, say: () => {} });
    await projector.round();
    await write('a');
    await suspect(3);
    await projector.reread();
    await projector.round();
    expect(await row()).toMatchObject({ attempts: 1, error: expect.stringContaining('not yet') });
  });
});

describe('the first careful round after a claim', () => {
  it('runs while no other user code does, like those after it', async () => {
    const lock = new CodeLock();
    const seen: { attempts: number; isShared: boolean }[] = [];
    const observed = await projection(async () => {
      const release = await lock.acquire('shared', 50);
      seen.push({ attempts: (await row()).attempts, isShared: release !== null });
      release?.();
    });
    await db.query(`update projection set setup = 'done' where name = $1`, [name]);
    await write('a', 'b');
    await suspect(2); // the claim is the third
    const options = { holder: randomUUID(), leaseMs: 10_000, pollMs: 20, say: () => {}, lock };
    running.push(startProjections(db, [observed], options));
    await expect.poll(() => seen.length).toBe(2);
    expect(seen[0]).toEqual({ attempts: 1, isShared: false });
  });
});
