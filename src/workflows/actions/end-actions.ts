/**
 * Ending actions, many at once: whatever has finished while one transaction was under way goes into the next. The result, the event and
 * the dead letter of an action stand in the same transaction, so there is all of it or nothing.
 *
 * A database that is away is waited for. Only a higher token takes a result from who has it.
 */
import { messageOf, SeineError } from '../../base/errors.ts';
import { retrying } from '../../base/retry.ts';
import { startLoop } from '../../base/service.ts';
import type { Database } from '../../db/database.ts';
import { type Fact, recordFacts } from '../record.ts';
import { lockWorkflows } from '../workflow-store.ts';
import { addActionLetters, resolveActionLetters } from './action-letter-store.ts';
import { type Claimed, type Ended, endActions } from './action-store.ts';
import type { Outcome } from './run-action.ts';

export interface Finished {
  readonly claimed: Claimed;
  readonly outcome: Extract<Outcome, { as: 'done' | 'failed' }>;
  /** Of the event it becomes. */
  readonly schema: number;
  /** It is written, or can't be. */
  left(): void;
}

export interface EndingOptions {
  readonly leaseMs: number;
  onError(message: string): void;
  /** They have news: an event was added to them. */
  ended?(workflowKeys: readonly number[], actions: number): void;
}

const MOST = 1000;
const MOST_CHARACTERS = 4 << 20;
const LONG_PAUSE_MS = 60_000;
const OUTAGE_PAUSE_MS = 500;

export function startEnding(db: Database, options: EndingOptions) {
  const queue: Finished[] = [];
  const stopping = new AbortController();
  const loop = startLoop('end actions', async () => {
    const batch = takeBatch(queue);
    if (batch.length === 0) return LONG_PAUSE_MS;
    if (await endOrPutBack(db, queue, batch, options, stopping.signal)) return 0;
    return OUTAGE_PAUSE_MS;
  });
  return {
    add: (finished: Finished) => {
      queue.push(finished);
      loop.wake();
    },
    stop: () => {
      stopping.abort();
      return loop.stop();
    },
  };
}

function takeBatch(queue: Finished[]): Finished[] {
  let [count, characters] = [0, 0];
  while (count < queue.length && count < MOST && characters < MOST_CHARACTERS) {
    const { outcome } = queue[count++]!;
    characters += outcome.as === 'done' ? outcome.result.length : outcome.error.length;
  }
  return queue.splice(0, count);
}

/** False: the database is away, and they wait for it. */
async function endOrPutBack(
  db: Database,
  queue: Finished[],
  batch: readonly Finished[],
  options: EndingOptions,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { keys, ended } = await retrying(() => endBatch(db, batch), { forMs: options.leaseMs, signal });
    for (const { left } of batch) left();
    if (ended > 0) options.ended?.([...keys], ended);
    return true;
  } catch (error) {
    options.onError(`ending actions: ${messageOf(error)}`);
    if (error instanceof SeineError && error.retry) {
      queue.unshift(...batch);
      return false;
    }
  }
  // One of them can't be written: the others must not suffer for it. It is tried again when its hold has expired.
  if (batch.length === 1) batch[0]!.left();
  else for (const one of batch) await endOrPutBack(db, queue, [one], options, signal);
  return true;
}

/** How many really ended now, and which workflows were appended to. */
function endBatch(
  db: Database,
  batch: readonly Finished[],
): Promise<{ readonly keys: ReadonlySet<number>; readonly ended: number }> {
  return db.tx(async (tx) => {
    // Workflows before actions, as a reaction that cancels some: nobody waits in a circle.
    const heads = await lockWorkflows(tx, [...new Set(batch.map(({ claimed }) => claimed.workflowKey))]);
    const tokens = await endActions(tx, batch.map(endedOf));
    const mine = batch.filter(({ claimed }) => tokens.get(claimed.id) === claimed.token);
    if (mine.length === 0) return { keys: new Set(), ended: 0 };
    const keys = await recordFacts(tx, mine.map(factOf), heads);
    const dead = mine.flatMap(({ claimed, outcome }) =>
      outcome.as === 'failed' ? [{ ...claimed, error: outcome.error }] : [],
    );
    if (dead.length > 0) await addActionLetters(tx, dead);
    const mended = mine.filter(({ claimed, outcome }) => outcome.as === 'done' && claimed.error !== null);
    if (mended.length > 0)
      await resolveActionLetters(
        tx,
        mended.map(({ claimed }) => claimed.id),
      );
    return { keys, ended: mine.length };
  });
}

function endedOf({ claimed: { id, token }, outcome }: Finished): Ended {
  return outcome.as === 'done'
    ? { id, token, state: 'done', result: outcome.result, error: null }
    : { id, token, state: 'failed', result: null, error: outcome.error };
}

function factOf({ claimed, outcome, schema }: Finished): Fact {
  const { workflowKey, name, attempts, trace } = claimed;
  const event =
    outcome.as === 'done'
      ? { type: `${name}.done`, schema, data: { result: JSON.parse(outcome.result) }, trace }
      : { type: `${name}.failed`, schema, data: { error: outcome.error, attempts }, trace };
  return { key: workflowKey, event };
}
