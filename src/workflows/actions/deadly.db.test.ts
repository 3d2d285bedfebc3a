/** Real processes that their actions end, started again by a supervisor each time. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many } from '../../db/database.ts';
import { type Supervised, supervise } from '../runner/supervise.fixture.ts';
import { historyOf, requestActions, until } from './action.fixture.ts';

const RUNNER = join(import.meta.dirname, 'deadly-runner.fixture.ts');
/** Each life is a process that starts. */
const LONG = 300_000;

let db: Database & { readonly url: string };
let watched: Supervised;
beforeAll(async () => {
  db = await freshDatabase(5);
});
afterEach(() => watched.stop());
afterAll(() => db.close());

const open = (key: number) =>
  many(db, `select from action where workflow_key = $1 and ended_at is null`, [key]);
const batch = (...names: string[]) => names.map((name) => ({ name }));

describe('an action that really ends its process', () => {
  it.each(['exits', 'kills'])(
    'becomes a dead letter, and all others are done: %s',
    async (name) => {
      const { key } = await requestActions(
        db,
        'deadly',
        `order-${name}`,
        batch(name, ...Array<string>(8).fill('good')),
      );
      watched = supervise(RUNNER, db.url);
      await until(async () => (await open(key)).length === 0);
      const history = await historyOf(db, key);
      expect(history.filter(([type]) => type === 'good.done')).toHaveLength(8);
      expect(history.filter(([type]) => type.endsWith('.failed'))).toEqual([
        [
          `${name}.failed`,
          { error: expect.stringMatching(/^It crashed the process 7 times, 5 times while/), attempts: 7 },
        ],
      ]);
      expect(watched.starts).toBe(8);
    },
    LONG,
  );
});

describe('an error that nothing catches', () => {
  it(
    'fails the action that caused it, is reported, and ends no process',
    async () => {
      const names = ['rejects', 'throws in a timer', 'rejects later', 'throws later'];
      const { key } = await requestActions(
        db,
        'deadly',
        'order-stray',
        batch(...names, ...Array<string>(8).fill('good')),
      );
      watched = supervise(RUNNER, db.url);
      await until(
        async () =>
          (await open(key)).length === 0 && watched.said.includes('matter') && watched.said.includes('count'),
      );
      const history = (await historyOf(db, key)).filter(([type]) => type !== 'good.done');
      expect(Object.fromEntries(history)).toEqual({
        'rejects.failed': { error: 'nothing awaits this', attempts: 2 },
        'throws in a timer.failed': { error: 'nothing catches this', attempts: 2 },
        'rejects later.done': { result: null },
        'throws later.done': { result: null },
      });
      expect(watched.said).toContain(
        'Unhandled rejection in the action deadly order-stray rejects later: too late to count Await the promise, or catch its error.',
      );
      expect(watched.said).toContain(
        'Uncaught exception in the action deadly order-stray throws later: too late to matter',
      );
      expect(watched.starts).toBe(1);
    },
    LONG,
  );
});
