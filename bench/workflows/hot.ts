/**
 * One workflow that many send commands to. The old way handles each command by itself, and decides again after a conflict; the new way is
 * the command queue of the client. Both in the same run, on the same server.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { scaled } from '../benchmark.ts';
import { count, table } from '../figures.ts';
import { type HotResult, type HotSettings, sendHot } from './hot-senders.ts';
import { quiet } from './kinds.ts';
import { spawnSender } from './runners.ts';
import type { SeineDatabase, Stage } from './stage.ts';

const IN_ONE_PROCESS = [1, 50, 300];
const PROCESSES = 4;
const SENDERS_OF_EACH = 75;
const WANTED_PER_SECOND = 3000;

export async function measureHot(stage: Stage): Promise<void> {
  const { bench } = stage;
  const seine = await stage.openSeine('seine_hot', 4);
  const forMs = scaled(bench, 5000, 1000);
  const rows: string[][] = [];
  try {
    for (const senders of IN_ONE_PROCESS) {
      for (const way of ['old', 'new'] as const) {
        const result = await sendHot({ url: seine.url, id: `${way}-${senders}`, way, senders, forMs });
        rows.push(rowOf(`${senders} in 1 process`, way, result));
        if (way === 'new') await check(stage, seine, `${way}-${senders}`, result);
        if (way === 'new' && senders > 1) wanted(stage, `${senders} senders`, result);
      }
    }
    for (const way of ['old', 'new'] as const) {
      const id = `${way}-processes`;
      const result = await inProcesses(stage, { url: seine.url, id, way, senders: SENDERS_OF_EACH, forMs });
      rows.push(rowOf(`${SENDERS_OF_EACH} in each of ${PROCESSES} processes`, way, result));
      if (way === 'new') await check(stage, seine, id, result);
    }
  } finally {
    await seine.db.close();
  }
  bench.log(`  commands to one workflow, each sender awaits each outcome; 10 connections a process:`);
  bench.log(table([['senders', 'way', 'accepted a second', 'errors', 'p50', 'p99', 'longest'], ...rows]));
}

async function inProcesses(stage: Stage, settings: HotSettings): Promise<HotResult> {
  const start = Date.now() + 3000; // all at the same time
  const results = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const child = spawnSender(JSON.stringify({ ...settings, start }), stage.folder);
      let said = '';
      child.stdout!.on('data', (chunk) => {
        said += chunk;
      });
      await once(child, 'close');
      return JSON.parse(said) as HotResult;
    }),
  );
  const all = results.flatMap(({ milliseconds }) => milliseconds);
  return {
    accepted: results.reduce((sum, { accepted }) => sum + accepted, 0),
    errors: results.reduce((sum, { errors }) => sum + errors, 0),
    seconds: Math.max(...results.map(({ seconds }) => seconds)),
    milliseconds: all.sort((a, b) => a - b),
  };
}

/** What was reported as accepted is there, and nothing else. */
async function check(
  stage: Stage,
  { db }: SeineDatabase,
  id: string,
  { accepted }: HotResult,
): Promise<void> {
  await sleep(50);
  const { rows } = await db.query<{ n: number }>(
    `select count(*) as n from event join workflow on key = workflow_key where name = $1 and id = $2`,
    [quiet.name, id],
  );
  stage.bench.check(
    rows[0]!.n === accepted,
    `${id}: ${accepted} commands were accepted, ${rows[0]!.n} events stored`,
  );
}

function wanted({ bench }: Stage, what: string, { accepted, errors, seconds }: HotResult): void {
  const rate = accepted / seconds;
  const reached = rate >= WANTED_PER_SECOND && errors === 0 ? 'reached' : 'FALLS SHORT';
  bench.log(
    `  ${what}: required ${count(WANTED_PER_SECOND)} a second without errors, measured ${count(rate)}: ${reached}`,
  );
}

function rowOf(
  what: string,
  way: string,
  { accepted, errors, seconds, milliseconds: all }: HotResult,
): string[] {
  const at = (share: number) =>
    `${(all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0).toFixed(1)} ms`;
  const failed = `${count(errors)} (${((100 * errors) / Math.max(1, errors + accepted)).toFixed(0)} %)`;
  return [what, way, count(accepted / seconds), failed, at(0.5), at(0.99), at(1)];
}
