/** Looking into the database of a running scan, to strike at a chosen moment instead of after a guessed time. */
import { type Database, maybeOne, one } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/pool.ts';
import type { Running, Seine, SeineOptions } from './seine.ts';
import { waitFor } from './wait-for.ts';

export interface ScanState {
  readonly id: number;
  readonly status: string;
  /** Objects that the ledger has. */
  readonly listed: number;
  readonly held: number;
  /** Claims of shards so far. */
  readonly claims: number;
  /** Shards with a window that was started and has not ended. */
  readonly begun: number;
  /** How often one object was marked as suspect before it was processed alone, at most. */
  readonly named: number;
}

export interface Watch {
  readonly db: Database;
  /** The newest scan. */
  newest(): Promise<ScanState>;
  until(enough: (scan: ScanState) => boolean): Promise<ScanState>;
  /** Resolves when no other client is connected: statements of a killed process are completed or rolled back. */
  alone(): Promise<void>;
  close(): Promise<void>;
}

const NEWEST = `select scan.id, status,
    (select coalesce(sum(listed), 0)::bigint from shard where scan_id = scan.id) as listed,
    (select count(*) from range_lease where group_id = scan.id and state = 'held') as held,
    (select coalesce(sum(fencing_token), 0)::bigint from range_lease where group_id = scan.id) as claims,
    (select count(*) from range_lease where group_id = scan.id and reserved_up_to > cursor) as begun,
    (select coalesce(max(attempts), 0) from crash_suspect where scan_id = scan.id) as named
  from scan order by id desc limit 1`;

/** Our pool has one connection. */
const OTHERS = `select from pg_stat_activity where application_name = 'seine' and pid <> pg_backend_pid() limit 1`;

export async function watchScans(seine: Seine): Promise<Watch> {
  process.env.SEINE_IDLE_STOP = '1'; // if this process has to start the server
  const db: Database = await openDatabase({ dataFolder: seine.data, max: 1 });
  const newest = () => one<ScanState>(db, NEWEST);
  return {
    db,
    newest,
    until: (enough) =>
      waitFor(db, 'a scan that stands as wished', async () => {
        const scan = await newest();
        return enough(scan) ? scan : null;
      }),
    async alone() {
      await waitFor(
        db,
        'everybody else to be gone',
        async () => (await maybeOne(db, OTHERS)) === null || null,
      );
    },
    close: () => db.close(),
  };
}

/** A running scan whose process is suspended: however slow the machine is, it has not ended. */
export interface CaughtScan extends Running {
  readonly id: number;
  resume(): void;
}

export async function catchScan(
  seine: Seine,
  watch: Watch,
  words: readonly string[],
  options?: SeineOptions,
): Promise<CaughtScan> {
  const before = await watch.newest().catch(() => null);
  const running = seine.start(words, options);
  const { id } = await watch.until(
    (now) => now.id !== before?.id && (isCaught(now) || now.status === 'completed'),
  );
  running.kill('SIGSTOP');
  const resume = () => running.kill('SIGCONT');
  if (isCaught(await watch.newest())) return { ...running, id, resume };
  resume(); // it was faster than we
  await running.ended;
  return catchScan(seine, watch, words, options);
}

/** Half of the smallest tree: a scan beyond it may have started all objects, and would end in spite of a signal. */
const MIDDLE = 3000;

function isCaught({ listed, held, status }: ScanState): boolean {
  return listed > 0 && listed < MIDDLE && held > 0 && status === 'running';
}
