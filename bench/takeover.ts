/** How long it takes from the start of a process until it holds a lease, seen in the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Seine } from './seine.ts';

const POLL_INTERVAL_MS = 10;

export interface TakeoverWatch {
  /** Seconds of each process that was counted and lived long enough. */
  readonly times: readonly number[];
  begin(pid: number, counts: boolean): void;
  end(): void;
  close(): Promise<void>;
}

export async function takeoverWatch(seine: Seine): Promise<TakeoverWatch> {
  const db = await seine.open();
  const times: number[] = [];
  let watched = 0;

  async function holds(pid: number): Promise<boolean> {
    const { rows } = await db.query(
      `select 1 from range_lease as lease join worker on worker.id = lease.holder where worker.pid = $1 and lease.state = 'held'`,
      [pid],
    );
    return rows.length > 0;
  }

  return {
    times,
    begin(pid, counts) {
      watched = pid;
      const began = performance.now();
      const poll = async () => {
        while (watched === pid && !(await holds(pid))) await sleep(POLL_INTERVAL_MS);
        if (watched === pid && counts) times.push((performance.now() - began) / 1000);
      };
      void poll();
    },
    end() {
      watched = 0;
    },
    close: () => db.close(),
  };
}
