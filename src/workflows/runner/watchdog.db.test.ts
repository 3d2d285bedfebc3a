/** Real processes in which a function never ends, started again by a supervisor each time. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many } from '../../db/database.ts';
import { until } from '../actions/action.fixture.ts';
import { parkedWorkflows } from '../control/parked.ts';
import { addMessages } from '../messages/message-store.ts';
import { readProjectionSummaries } from '../projections/projection-store.ts';
import { type Supervised, supervise } from './supervise.fixture.ts';

const RUNNER = join(import.meta.dirname, '../messages/deadly-runner.fixture.ts');
/** Each life is a process that starts, and is blocked for a second. */
const LONG = 300_000;
const tenant = 'default';

let db: Database & { readonly url: string };
let watched: Supervised;
beforeEach(async () => {
  db = await freshDatabase(5);
});
afterEach(async () => {
  await watched.stop();
  await db.close();
});

async function run(deadly: string, how = 'loop'): Promise<void> {
  const bodies = [{ type: 'go' }, { type: 'go', bad: true }, { type: 'go' }];
  const said = {
    workflow: 'speaker',
    id: 's',
    version: 1,
    at: new Date(0),
    type: 'said',
    data: { bad: true },
    tags: [],
  };
  await addMessages(
    db,
    bodies.map((body, n) => {
      const subscribers = deadly === 'receive' && body.bad;
      return {
        tenant,
        workflow: 'target',
        id: `w-${n}`,
        kind: subscribers ? 'event' : 'command',
        body: subscribers ? said : body,
      };
    }),
  );
  watched = supervise(RUNNER, db.url, { DEADLY: deadly, HOW: how });
}

const shipped = async () =>
  (
    await many(
      db,
      `select from event join workflow on key = workflow_key where name = 'target' and type = 'ship.done'`,
    )
  ).length;

describe('a function that never ends', () => {
  it.each([
    ['decide', /by decide of target w-1 on the command go\. Killing this process/],
    ['evolve', /by evolve of target w-1, event 1\./],
    ['receive', /by receive of target w-1 on event 1 \(said\) of speaker s\./],
    ['schema', /by schema of The command go of target w-1\./],
    ['react', /by react of target w-1 on event 1 \(got\)\./],
    ['action', /by action of target w-1 ship\./],
    ['limitKey', /by limitKey of /],
    ['apply', /by apply of the projection seen on event 1 \(got\) of target w-1\./],
  ])(
    'ends the process, which says where it was: %s',
    async (deadly, where) => {
      await run(deadly);
      await until(() => watched.said.includes('The event loop was blocked for 1 s'));
      expect(watched.said).toMatch(where);
    },
    LONG,
  );

  it(
    'is found as the cause, and the others go on',
    async () => {
      await run('decide');
      await until(async () => (await parkedWorkflows(db, { tenant })).length > 0 && (await shipped()) === 2);
      expect(watched.said.match(/was blocked for 1 s/g)).toHaveLength(6);
    },
    LONG,
  );
});

describe('a projection that ends its process', () => {
  it.each(['exit', 'loop'])(
    'is parked, and workflows go on: %s',
    async (how) => {
      await run('apply', how);
      const parked = async () =>
        (await readProjectionSummaries(db, null, 1000)).filter(({ state }) => state === 'parked');
      await until(async () => (await parked()).length > 0 && (await shipped()) === 3);
      expect(await parked()).toMatchObject([
        {
          atId: 'w-1',
          atVersion: 1,
          attempts: 5,
          error: expect.stringContaining('The process crashed on every attempt'),
        },
      ]);
    },
    LONG,
  );
});
