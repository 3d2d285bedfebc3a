/**
 * Messages of `seine runner`: its assignment whenever that changes, that it is ready, and its counts at intervals.
 *
 * Ready means: registered, listening for notifications, and holding or standing by for a partition or slots of each workflow. A script that
 * waits for this line may then stop another runner, or expect a reaction.
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
  readonly log: (sentence: string) => void;
}

export function announce(
  db: Database,
  runner: Pick<Runner, 'id' | 'counts' | 'holds'>,
  { partition, actionsAtOnce, log }: AnnounceOptions,
): PollingLoop {
  const announced = new Map<string, string>();
  let isReady = false;
  let next = performance.now() + STATUS_EVERY_MS;
  return startPollingLoop('announce', async () => {
    const all = runner.holds();
    for (const held of all) {
      const sentence = await holdingOf(db, runner.id, held, partition).catch(() => null);
      if (sentence === null || announced.get(held.workflow) === sentence) continue;
      announced.set(held.workflow, sentence);
      log(`${held.workflow}: ${sentence}`);
    }
    if (!isReady && all.every(({ workflow }) => announced.has(workflow))) {
      isReady = true;
      const names = all.map(({ workflow }) => workflow).join(', ');
      log(
        `Runner ${runner.id.slice(0, 8)} is ready: ${names}; ${pluralize(actionsAtOnce, 'action')} at a time.`,
      );
    }
    if (performance.now() >= next) {
      next = performance.now() + STATUS_EVERY_MS;
      log(statusOf(runner.counts));
    }
    return isReady ? POLL_INTERVAL_MS : UNTIL_READY_MS;
  });
}

/** Returns null while it is not known yet. */
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
  if (partition === null)
    return standsByForSlots(readers) ? 'other runners hold all slots; standing by.' : null;
  const which = `partition ${partition.index} of ${partition.total}`;
  const reader = readers.length === partition.total ? readers[partition.index] : undefined;
  if (!reader || reader.holder === null || reader.holder === me) return null;
  const who = reader.host === null ? `runner ${reader.holder}` : `${reader.host}, pid ${reader.pid}`;
  return `${which} is held by ${who}; standing by.`;
}

/** True if every slot has a different holder; otherwise holders of several slots will release some. */
function standsByForSlots(readers: Awaited<ReturnType<typeof readersOf>>): boolean {
  const holders = readers.flatMap(({ holder }) => holder ?? []);
  return readers.length > 0 && new Set(holders).size === readers.length;
}

export function statusOf({ events, messages, actions }: Runner['counts']): string {
  return `${pluralize(events, 'event')}, ${pluralize(messages, 'message')}, ${pluralize(actions, 'action')} so far.`;
}
