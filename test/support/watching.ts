/** Looking into the database of a running scan, to strike at a chosen moment instead of after a guessed time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, one } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { seen } from './patience.ts';
import type { Running, Seine, SeineOptions } from './seine.ts';

export interface Standing {
  readonly id: number;
  readonly status: string;
  /** Objects that the ledger has. */
  readonly listed: number;
  readonly held: number;
  /** Claims of shards so far. */
  readonly claims: number;
  /** Shards of which a stretch was begun that has not ended. */
  readonly begun: number;
  /** The most often that one object was named before it was looked at alone, because the process died near it. */
  readonly named: number;
}

export interface Watch {
  /** The newest scan. */
  newest(): Promise<Standing>;
  until(enough: (scan: Standing) => boolean): Promise<Standing>;
  close(): Promise<void>;
}

const NEWEST = `select scan.id, status,
    (select coalesce(sum(listed), 0)::bigint from shard where scan_id = scan.id) as listed,
    (select count(*) from lease where work_id = scan.id and state = 'held') as held,
    (select coalesce(sum(token), 0)::bigint from lease where work_id = scan.id) as claims,
    (select count(*) from lease where work_id = scan.id and reserved > cursor) as begun,
    (select coalesce(max(attempts), 0) from suspect where scan_id = scan.id) as named
  from scan order by id desc limit 1`;

export async function watchScans(seine: Seine): Promise<Watch> {
  process.env.SEINE_IDLE_STOP = '1'; // if this process has to start the server
  const db: Database = await openDatabase({ dataFolder: seine.data, max: 1 });
  const newest = () => one<Standing>(db, NEWEST);
  return {
    newest,
    until: (enough) =>
      seen(db, 'a scan that stands as wished', async () => {
        const scan = await newest();
        return enough(scan) ? scan : null;
      }),
    close: () => db.close(),
  };
}

/** A scan in the middle of its work, whose process stands still: however slow the machine is, it has not ended. */
export interface Caught extends Running {
  readonly id: number;
  goOn(): void;
}

export async function catchScan(
  seine: Seine,
  watch: Watch,
  words: readonly string[],
  options?: SeineOptions,
): Promise<Caught> {
  const before = await watch.newest().catch(() => null);
  const running = seine.start(words, options);
  const { id } = await watch.until(
    (now) => now.id !== before?.id && (isCaught(now) || now.status === 'completed'),
  );
  running.kill('SIGSTOP');
  const goOn = () => running.kill('SIGCONT');
  if (isCaught(await watch.newest())) return { ...running, id, goOn };
  goOn(); // it was faster than we
  await running.ended;
  return catchScan(seine, watch, words, options);
}

function isCaught({ listed, held, status }: Standing): boolean {
  return listed > 0 && held > 0 && status === 'running';
}

/** Longer than a command takes that waits for nobody. */
const STILL_MS = 10_000;

/** Does something to the scan before it goes on; it may have stopped with a lock that this waits for. */
export async function whileStill<T>(scan: Caught, work: () => Promise<T>): Promise<T> {
  const done = work();
  await Promise.race([done, sleep(STILL_MS)]);
  scan.goOn();
  return done;
}
