/** A process that runs jobs until it is killed, and records the start and the end of each in the table `run`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../db/pool.ts';
import { startJobs } from './jobs.ts';

const db = await openDatabase({ databaseUrl: process.argv[2], max: 4 });

async function errand({ n, ms = 5 }: { n: number; ms?: number }): Promise<void> {
  await db.query('insert into run (n, pid) values ($1, $2)', [n, process.pid]);
  await sleep(ms);
  await db.query('update run set ended_at = clock_timestamp() where n = $1 and pid = $2', [n, process.pid]);
}

await startJobs(
  db,
  { errand },
  {
    onError: (message) => void process.stderr.write(`${message}\n`),
    writeDeadLetter: async (tx, _queue, args, reason) => {
      await tx.query('insert into letter (args, reason) values ($1, $2)', [JSON.stringify(args), reason]);
    },
  },
);
