import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { type Database, many } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { addMessages } from '../messages/message-store.ts';
import { type ErrandCommand, errand } from './errand.fixture.ts';
import { startRunner } from './runner.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const tenant = 'default';
const command = (of: ErrandCommand) => ({ tenant, id: 'a', command: of });

describe('a runner', () => {
  it('says that messages wait which no runner serves', async () => {
    await addMessages(db, [{ tenant, workflow: 'mistyped', id: 'a', kind: 'command', body: { type: 'x' } }]);
    await db.query(`update message set due_at = due_at - interval '5 minutes'`);
    const said: string[] = [];
    const runner = await startRunner(db, {
      workflows: [errand({ name: 'served' })],
      say: (sentence) => void said.push(sentence),
    });
    const sentence = await waitFor(
      db,
      'the sentence',
      async () => said.find((s) => s.includes('mistyped')) ?? null,
    );
    expect(sentence).toContain('1 message waits for the workflow mistyped, which no runner serves');
    await runner.stop(0);
  });

  it('says which transaction stalls the log, and when it is over', async () => {
    const workflow = errand({ name: 'stalled' });
    const said: string[] = [];
    const say = (sentence: string) => void said.push(sentence);
    const runner = await startRunner(db, { workflows: [workflow], say });
    const about = (text: string) =>
      waitFor(db, `"${text}"`, async () => said.find((sentence) => sentence.includes(text)) ?? null);
    await db.tx(async (forgotten) => {
      const { rows } = await forgotten.query<{ pid: number }>(
        'select pg_backend_pid() as pid, pg_current_xact_id()',
      );
      await handleCommands(db, workflow, [command({ type: 'run', n: 1 })]);
      // Those of other tests on this server may be older for a while.
      const sentence = await about(`pid ${rows[0]!.pid} `);
      expect(sentence).toMatch(/^Events of stalled cannot be read for \d+ s: a transaction of pid/);
      await forgotten.query('select 1');
    });
    await about('has ended: events can be read again.');
    await runner.stop(0);
  });

  it('deletes what its retention policy no longer keeps', async () => {
    const workflow = errand({ name: 'retained' });
    await handleCommands(db, workflow, [command({ type: 'run', n: 1 }), command({ type: 'end' })]);
    const ended = async () => {
      const rows = await many(db, `select 1 from workflow where name = 'retained' and status = 'completed'`);
      return rows.length > 0 ? rows : null;
    };
    const first = await startRunner(db, { workflows: [workflow], pollMs: 20 });
    await waitFor(db, 'the end of the workflow', ended);
    await first.stop(0);
    await settledLog(db);
    const retention = { endedWorkflowsMs: -60_000, commandIdsMs: null };
    const second = await startRunner(db, { workflows: [workflow], pollMs: 20, retention });
    await waitFor(db, 'the purge', async () => {
      const left = await many(db, `select 1 from event where workflow = 'retained'`);
      return left.length === 0 ? left : null;
    });
    await second.stop(0);
  });
});
