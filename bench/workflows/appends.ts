/** Appends and reads a second, ours and emmett's, in turns on the same server. */
import { scaled } from '../benchmark.ts';
import { count, median, table, times } from '../figures.ts';
import { emmettLog } from './emmett.ts';
import { type Log, seineLog } from './logs.ts';
import type { Stage } from './stage.ts';

const WAYS = [
  { name: '10 callers, 1 event each', callers: 10, events: 1, full: 20_000 },
  { name: '4 callers, 100 events each', callers: 4, events: 100, full: 200_000 },
] as const;
type Way = (typeof WAYS)[number];

export async function measureLogs(stage: Stage): Promise<void> {
  const { bench } = stage;
  const emmett = await emmettLog(stage);
  if (emmett === null) bench.log('  emmett-postgresql: not installed');
  const logs = [await seineLog(stage), ...(emmett ? [emmett] : [])];
  try {
    await appends(stage, logs, emmett === null);
    await reads(stage, logs);
  } finally {
    for (const log of logs) await log.close();
  }
}

async function appends({ bench }: Stage, logs: readonly Log[], missing: boolean): Promise<void> {
  const rows: string[][] = [];
  for (const way of WAYS) {
    const taken: number[][] = logs.map(() => []);
    const events = scaled(bench, way.full, way.callers * way.events);
    for (let n = 0; n < bench.runs; n++)
      for (const [i, log] of logs.entries()) taken[i]!.push(await appendRate(log, way, events));
    const rates = taken.map(median);
    for (const [i, log] of logs.entries())
      rows.push([log.name, way.name, count(rates[i]!), times(rates[i]! / rates[0]!)]);
    if (missing) rows.push(['emmett-postgresql', way.name, 'not installed', '']);
  }
  bench.log('  each append begins a stream of its own; medians, in turns:');
  bench.log(table([['', 'appends', 'events/s', 'of ours'], ...rows]));
}

async function appendRate(log: Log, { callers, events }: Way, total: number): Promise<number> {
  let left = total;
  const began = performance.now();
  const caller = async () => {
    while (left > 0) {
      left -= events;
      await log.append(events);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (total - left) / ((performance.now() - began) / 1000);
}

async function reads({ bench }: Stage, logs: readonly Log[]): Promise<void> {
  const max = scaled(bench, 200_000, 2000);
  const rows: string[][] = [];
  for (const log of logs) {
    for (const reader of log.readers) {
      const rates: number[] = [];
      for (let n = 0; n < bench.runs; n++) {
        const began = performance.now();
        const read = await reader.read(max);
        rates.push(read / ((performance.now() - began) / 1000));
      }
      rows.push([log.name, reader.name, count(median(rates))]);
    }
  }
  bench.log(`  reading from the beginning, at most ${count(max)} events; nothing is made of them:`);
  bench.log(table([['', 'reader', 'events/s'], ...rows]));
}
