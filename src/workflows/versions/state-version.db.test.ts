/** States of another state version: snapshots, and states that workflows continued as new with. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many } from '../../db/database.ts';
import { WorkflowClient } from '../client.ts';
import { handleCommands } from '../commands/handle.ts';
import { continueAsNew } from '../decision.ts';
import { type Definition, defineWorkflow } from '../define.ts';
import { startRunner } from '../runner/runner.ts';
import { staleSnapshot } from './check-snapshots.ts';

let db: Database & { url: string };
let name = '';
let tests = 0;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());
beforeEach(() => {
  name = `account${tests++}`;
});

type Command = { readonly type: 'add' | 'again' };
interface Sum {
  readonly sum: number;
  readonly count?: number;
}
type More = Partial<
  Pick<Definition<Sum, Command, { type: string }>, 'version' | 'stateVersion' | 'migrateState' | 'upcast'>
>;

/** First the state is a sum. */
const first = (more: More = {}) =>
  defineWorkflow<Sum, Command, { type: string }>({
    name,
    ...more,
    initial: () => ({ sum: 0 }),
    decide: (state, { type }) => (type === 'again' ? continueAsNew(state) : { type: 'added' }),
    evolve: ({ sum }) => ({ sum: sum + 1 }),
    snapshotEvery: 10,
  });

/** Then also a count, of the same events. */
const second = (more: More = {}) =>
  defineWorkflow<Sum, Command, { type: string }>({
    ...first(more),
    initial: () => ({ sum: 0, count: 0 }),
    evolve: ({ sum, count }) => ({ sum: sum + 1, count: count! + 1 }),
  });

const send = (workflow: ReturnType<typeof first>, id: string, ...types: Command['type'][]) =>
  handleCommands(
    db,
    workflow,
    types.map((type) => ({ tenant: 'default', id, command: { type } })),
  );
const adds = (n: number) => Array<'add'>(n).fill('add');
const stateOf = async (workflow: ReturnType<typeof first>, id: string) =>
  (await new WorkflowClient(db).state(workflow, id))!.state;
/** As `seine workflows archive --delete` leaves it. */
const archiveBefore = (id: string) =>
  db.query(
    `delete from event using workflow
     where key = workflow_key and name = $1 and id = $2
       and event.version < (select max(version) from event e where e.workflow_key = key and type = 'workflow.continued')`,
    [name, id],
  );

describe('with a raised state version', () => {
  it('long and short histories give the same state: snapshots of the other version are not used', async () => {
    for (const [id, n] of [
      ['short', 9],
      ['long', 25],
    ] as const)
      await send(first(), id, ...adds(n));
    expect(await stateOf(second({ stateVersion: 2 }), 'short')).toEqual({ sum: 9, count: 9 });
    expect(await stateOf(second({ stateVersion: 2 }), 'long')).toEqual({ sum: 25, count: 25 });
    expect(await stateOf(first(), 'long')).toEqual({ sum: 25 }); // and back
  });

  it('new snapshots take the place of the old ones', async () => {
    await send(first(), 'a', ...adds(10));
    await send(second({ stateVersion: 2 }), 'a', ...adds(10));
    const kept = await many(
      db,
      'select snapshot.version, state_version, state from snapshot join workflow on key = workflow_key where name = $1 order by 1',
      [name],
    );
    expect(kept).toEqual([
      { version: 10, state_version: 1, state: { sum: 10 } },
      { version: 20, state_version: 2, state: { sum: 20, count: 20 } },
    ]);
  });

  it('a state that was continued with is migrated, also if what came before was archived', async () => {
    await send(first(), 'a', ...adds(3), 'again', ...adds(2));
    await archiveBefore('a');
    const migrateState = {
      1: (state: unknown) => ({ ...(state as Sum), count: (state as Sum).sum }),
      2: (state: unknown) => state,
    };
    expect(await stateOf(second({ stateVersion: 3, migrateState }), 'a')).toEqual({ sum: 5, count: 5 });
  });

  it('without a migration such a workflow fails with what to do, and others do not', async () => {
    await send(first(), 'a', ...adds(3), 'again');
    await send(first(), 'b', ...adds(3));
    const workflow = second({ stateVersion: 2 });
    await archiveBefore('a');
    await expect(stateOf(workflow, 'a')).rejects.toMatchObject({
      message: expect.stringContaining('is of state version 1; the code has 2 and no migration'),
      hint: expect.stringContaining('migrateState: { 1:'),
    });
    expect(await stateOf(workflow, 'b')).toEqual({ sum: 3, count: 3 });
  });

  it('older code does not take a newer state for its own', async () => {
    await send(second({ stateVersion: 2 }), 'a', 'add', 'again');
    await expect(stateOf(first(), 'a')).rejects.toThrow('state version 2; this process has state version 1');
    expect(await stateOf(second({ stateVersion: 2 }), 'a')).toEqual({ sum: 1, count: 1 });
  });
});

describe('without raising it', () => {
  it('a runner says that evolve was changed, as long as the events are there to compare', async () => {
    await send(first(), 'a', ...adds(25));
    expect(await staleSnapshot(db, first())).toBeNull();
    const said: string[] = [];
    const runner = await startRunner(db, { workflows: [second()], say: (sentence) => said.push(sentence) });
    await runner.stop(0);
    expect(said).toEqual([
      `${name} a: its snapshot at event 25 is another state than evolve makes of these events. ` +
        'If evolve or initial was changed, set stateVersion: 2; if not, evolve is not pure.',
    ]);
    expect(await staleSnapshot(db, second({ stateVersion: 2 }))).toBeNull();
    await db.query(
      'delete from event using workflow where key = workflow_key and name = $1 and event.version < 5',
      [name],
    );
    expect(await staleSnapshot(db, second())).toBeNull();
  });
});

it('a state that was continued with is no event of the workflow: upcasts leave it alone', async () => {
  await send(first(), 'a', 'add', 'again');
  const upcast = { 1: ({ type }: { type: string }) => ({ type }) };
  expect(await stateOf(first({ version: 2, upcast }), 'a')).toEqual({ sum: 1 });
});

it.each([0, 1.5, 32_768, Number.NaN])('a state version of %d is refused', (stateVersion) => {
  expect(() => first({ stateVersion })).toThrow('The stateVersion of the workflow');
});
