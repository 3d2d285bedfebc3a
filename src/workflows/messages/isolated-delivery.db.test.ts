/** Real processes that end while they deliver a message, started again by a supervisor each time. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many, one } from '../../db/database.ts';
import { requestActions, until } from '../actions/action.fixture.ts';
import { parkedWorkflows } from '../control/parked.ts';
import { type Supervised, supervise } from '../runner/supervise.fixture.ts';
import { addMessages } from './message-store.ts';

const RUNNER = join(import.meta.dirname, 'deadly-runner.fixture.ts');
/** Each life is a process that starts. */
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

const IDS = ['a-1', 'a-2', 'a-3', 'poison', 'b-1', 'b-2', 'b-3'];

function messageTo(id: string, kind: 'command' | 'event') {
  const bad = id === 'poison';
  const said = {
    workflow: 'speaker',
    id: 's',
    version: 1,
    at: new Date(0),
    type: 'said',
    data: { bad },
    tags: [],
  };
  const body = kind === 'event' ? said : { type: 'go', ...(bad && { bad }) };
  return { tenant, workflow: 'target', id, kind, body };
}

const parked = () => parkedWorkflows(db, { tenant });
const begun = async () =>
  (await many<{ id: string }>(db, `select id from workflow where name = 'target' order by id`)).map(
    ({ id }) => id,
  );

describe('a message whose delivery ends its process', () => {
  it.each(['decide', 'evolve', 'receive', 'schema'])(
    'is parked, and all others are delivered: %s',
    async (deadly) => {
      const kind = deadly === 'receive' ? 'event' : 'command';
      await addMessages(
        db,
        IDS.map((id) => messageTo(id, kind)),
      );
      watched = supervise(RUNNER, db.url, { DEADLY: deadly });
      await until(async () => (await parked()).length > 0 && (await begun()).length === 6);
      expect(await begun()).toEqual(IDS.filter((id) => id !== 'poison').sort());
      const [{ id, error } = { id: '', error: '' }] = await parked();
      expect(id).toBe('poison');
      expect(error).toMatch(
        /^target poison: the delivery of message \d+ \((command go|event said)\) crashed the process 5 times while nothing else ran in it\. .* Then run: seine workflows retry target poison$/,
      );
      expect(watched.starts).toBe(7); // the first crash makes suspects, five are its own, the last life parks it
      await until(
        async () =>
          (
            await one<{ n: number }>(
              db,
              'select count(*) as n from reader join range_lease as lease on lease.id = lease_id where crashed',
            )
          ).n === 0,
      );
    },
    LONG,
  );

  it.each(['decide', 'react'])(
    'lets no action of another workflow become a dead letter: %s',
    async (deadly) => {
      await addMessages(db, [messageTo('poison', 'command')]);
      const { key } = await requestActions(db, 'innocent', 'i', Array(8).fill({ name: 'ship' }));
      watched = supervise(RUNNER, db.url, { DEADLY: deadly });
      const states = () =>
        many<{ state: string }>(
          db,
          `select state, crashes_alone as alone from action where workflow_key = $1 group by 1, 2`,
          [key],
        );
      await until(async () => {
        const [only, ...others] = await states();
        return (
          only?.state !== 'waiting' &&
          only?.state !== 'running' &&
          others.length === 0 &&
          (await parked()).length > 0
        );
      });
      expect(await states()).toEqual([{ state: 'done', alone: 0 }]);
    },
    LONG,
  );
});
