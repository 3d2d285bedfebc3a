/**
 * What `seine runner` says of itself: what it holds whenever that changes, that it is ready, and now and then what it has done.
 *
 * Ready means: it is registered, it listens, and of each of its workflows it holds its part or stands by for it. A script that waits for
 * this line may then stop another runner, or expect a reaction.
 */
import { type PollingLoop, startPollingLoop } from '../../base/polling-loop.ts';
import type { Database } from '../../db/database.ts';
import type { Partition } from '../../workflows/partitions/partition.ts';
import { readersOf } from '../../workflows/partitions/partitioning-store.ts';
import type { Runner } from '../../workflows/runner/runner.ts';
import { pluralize } from '../output/quantities.ts';

const STATUS_EVERY_MS = 10_000;
const POLL_INTERVAL_MS = 250;
const UNTIL_READY_MS = 50;

export interface AnnounceOptions {
  readonly partition: Partition | null;
  readonly actionsAtOnce: number;
  readonly say: (sentence: string) => void;
}

export function announce(
  db: Database,
  runner: Pick<Runner, 'id' | 'counts' | 'holds'>,
  { partition, actionsAtOnce, say }: AnnounceOptions,
): PollingLoop {
  const told = new Map<string, string>();
  let isReady = false;
  let next = performance.now() + STATUS_EVERY_MS;
  return startPollingLoop('announce', async () => {
    const all = runner.holds();
    for (const held of all) {
      const sentence = await holdingOf(db, runner.id, held, partition).catch(() => null);
      if (sentence === null || told.get(held.workflow) === sentence) continue;
      told.set(held.workflow, sentence);
      say(`${held.workflow}: ${sentence}`);
    }
    if (!isReady && all.every(({ workflow }) => told.has(workflow))) {
      isReady = true;
      const names = all.map(({ workflow }) => workflow).join(', ');
      say(
        `Runner ${runner.id.slice(0, 8)} is ready: ${names}; ${pluralize(actionsAtOnce, 'action')} at a time.`,
      );
    }
    if (performance.now() >= next) {
      next = performance.now() + STATUS_EVERY_MS;
      say(statusOf(runner.counts));
    }
    return isReady ? POLL_INTERVAL_MS : UNTIL_READY_MS;
  });
}

/** Null: not known yet. */
async function holdingOf(
  db: Database,
  me: string,
  { workflow, parts, total }: ReturnType<Runner['holds']>[number],
  partition: Partition | null,
): Promise<string | null> {
  if (parts > 0)
    return partition === null
      ? `holds ${parts} of ${total} slots.`
      : `holds partition ${partition.index} of ${partition.total}.`;
  const readers = await readersOf(db, workflow);
  if (partition === null) return standsByForSlots(readers) ? 'others hold all slots; standing by.' : null;
  const which = `partition ${partition.index} of ${partition.total}`;
  const reader = readers.length === partition.total ? readers[partition.index] : undefined;
  if (!reader || reader.holder === null || reader.holder === me) return null;
  const who = reader.host === null ? `runner ${reader.holder}` : `${reader.host}, pid ${reader.pid}`;
  return `${which} is held by ${who}; standing by.`;
}

/** One slot each, and none is left: otherwise the others give some back. */
function standsByForSlots(readers: Awaited<ReturnType<typeof readersOf>>): boolean {
  const holders = readers.flatMap(({ holder }) => holder ?? []);
  return readers.length > 0 && new Set(holders).size === readers.length;
}

export function statusOf({ events, messages, actions }: Runner['counts']): string {
  return `${pluralize(events, 'event')}, ${pluralize(messages, 'message')}, ${pluralize(actions, 'action')} so far.`;
}
