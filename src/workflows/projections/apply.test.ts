import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import { applyToProjection, ProjectionError } from './apply.ts';
import type { ProjectionTx } from './projection.ts';

/** A transaction whose statements answer nothing, or fail: from the first failure on all of them, as in PostgreSQL. */
function transaction() {
  const asked: string[] = [];
  let broken: Error | null = null;
  const tx = {
    transaction: true,
    query: async (sql: string) => {
      asked.push(sql);
      await setImmediate();
      if (sql === 'fail') broken ??= new Error('no such table');
      if (sql === 'rollback to savepoint s') broken = null;
      if (broken) throw broken;
      return { rows: [], rowCount: 0 };
    },
  };
  return { tx: tx as unknown as Tx, asked };
}

function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

describe('a call within the transaction of a batch', () => {
  it('that never ends is given up, and what it asks for later is refused', async () => {
    const { tx, asked } = transaction();
    const late = Promise.withResolvers<ProjectionTx>();
    const call = (guarded: ProjectionTx) => {
      late.resolve(guarded);
      return new Promise(() => {});
    };
    await expect(applyToProjection(tx, null, call, { timeoutMs: 20 })).rejects.toThrow(
      'It took longer than 0.02 s.',
    );
    await expect((await late.promise).query('insert')).rejects.toThrow(
      'The transaction of this event is over.',
    );
    expect(asked).toEqual([]);
  });

  it.each<[string, (tx: ProjectionTx) => unknown]>([
    ['waits for something else', () => new Promise(() => {})],
    ['waits for something else after a statement', (tx) => tx.query('one').then(() => new Promise(() => {}))],
    ['blocks its thread', () => block(40)],
    ['blocks its thread before a statement', (tx) => [block(40), tx.query('one')][1]],
  ])('that %s while its transaction is open has failed', async (_, call) => {
    const failed = applyToProjection(transaction().tx, null, call, { idleMs: 20 });
    await expect(failed).rejects.toBeInstanceOf(ProjectionError);
    await expect(failed).rejects.toThrow('It sent no statement for 0.02 s');
  });

  it('may take longer than that with statements', async () => {
    const { tx, asked } = transaction();
    const steps = Array.from({ length: 8 }, (_, n) => String(n));
    const call = async (guarded: ProjectionTx) => {
      for (const step of steps) {
        block(40);
        await guarded.query(step);
      }
    };
    await applyToProjection(tx, null, call, { idleMs: 200 });
    expect(asked).toEqual(steps);
  });

  it('waits for statements that it does not wait for, also for those that follow them', async () => {
    const { tx, asked } = transaction();
    await applyToProjection(tx, null, (guarded) => {
      void guarded.query('one').then(() => guarded.query('two'));
    });
    expect(asked).toEqual(['one', 'two']);
    const failed = applyToProjection(tx, null, (guarded) => void guarded.query('fail'));
    await expect(failed).rejects.toBeInstanceOf(ProjectionError);
    await expect(failed).rejects.toThrow('no such table');
  });

  it.each<[string, (tx: ProjectionTx) => unknown]>([
    ['may not control its transaction', (tx) => tx.query('/* all */ rollback')],
    ['has failed when it swallows that', (tx) => tx.query('commit').catch(() => {})],
    ['has failed when it does not wait for that', (tx) => void tx.query('commit')],
  ])('%s', async (_, call) => {
    const { tx, asked } = transaction();
    await expect(applyToProjection(tx, null, call)).rejects.toThrow('begins or ends a transaction');
    expect(asked).not.toContainEqual(expect.stringMatching(/rollback|commit/));
  });

  it('that asks for a statement when it is over is refused', async () => {
    const { tx } = transaction();
    const kept: ProjectionTx[] = [];
    await applyToProjection(tx, null, (guarded) => void kept.push(guarded));
    await expect(kept[0]!.query('insert')).rejects.toThrow('is over');
  });

  it.each<[string, (tx: ProjectionTx) => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('bad luck');
      },
      'bad luck',
    ],
    ['throws no error', () => Promise.reject('nonsense'), 'nonsense'],
    ['swallows the error of a statement', (tx) => tx.query('fail').catch(() => {}), 'no such table'],
  ])('that %s has failed with its cause', async (_, call, message) => {
    const failed = applyToProjection(transaction().tx, null, call);
    await expect(failed).rejects.toBeInstanceOf(ProjectionError);
    await expect(failed).rejects.toThrow(message);
  });

  it('that recovers from the error of a statement has not failed', async () => {
    const { tx } = transaction();
    await applyToProjection(tx, null, async (guarded) => {
      await guarded.query('savepoint s');
      await guarded.query('fail').catch(() => guarded.query('rollback to savepoint s'));
    });
  });

  it.each(['25P03', '25P04'])('that the server ended for its time (%s) has failed', async (code) => {
    const cause = Object.assign(new Error('terminating connection'), { code });
    const ended = new SeineError('unavailable', 'The database ended a transaction.', { retry: true, cause });
    const failed = applyToProjection(transaction().tx, null, () => Promise.reject(ended));
    await expect(failed).rejects.toBeInstanceOf(ProjectionError);
  });

  it('during which the database went away is not to blame', async () => {
    const outage = new SeineError('unavailable', 'The database is away.', { retry: true });
    await expect(applyToProjection(transaction().tx, null, () => Promise.reject(outage))).rejects.toBe(
      outage,
    );
  });
});
