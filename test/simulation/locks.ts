/** The actors that wait for a lock held by another actor, as reported by the server. */
import type { Actor } from './actor.ts';
import type { Connection } from './connection.ts';

export interface Waiting {
  readonly actor: Actor;
  /** For a row, or a transaction, that another one already waits for. */
  readonly second: boolean;
}

/** Those of `actors` that wait for one of `all`. */
export async function waitingForLocks(
  watch: Connection,
  actors: readonly Actor[],
  all: readonly Actor[],
): Promise<Waiting[]> {
  const pids = (some: readonly Actor[]) => some.map(({ connection }) => connection.pid);
  const { rows } = await watch.run<{ pid: number; second: boolean }>(
    `select wanted.pid, wanted.locktype = 'tuple' or exists (
       select 1 from pg_locks other
       where not other.granted and other.pid <> wanted.pid and other.transactionid = wanted.transactionid) as second
     from pg_locks wanted
     where not wanted.granted and wanted.pid = any($1::integer[]) and pg_blocking_pids(wanted.pid) && $2::integer[]`,
    [pids(actors), pids(all)],
  );
  return rows.map(({ pid, second }) => ({
    actor: actors.find(({ connection }) => connection.pid === pid)!,
    second,
  }));
}
