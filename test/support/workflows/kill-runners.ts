/** Kills runners under load, one after the other, and replaces each. */
import { one } from '../../../src/db/database.ts';
import { randomFrom } from '../tree.ts';
import { waitFor } from '../wait-for.ts';
import type { Audit, Runners } from './runners.ts';

export interface Killing {
  readonly kills: number;
  /** One runner for each; null: slots. */
  readonly partitions: readonly (string | null)[];
  readonly seed?: number;
}

export interface Killed {
  readonly audit: Audit;
  readonly kills: number;
}

const WORKFLOWS = 200;
/** Between two kills there must be progress, or the killed runners may have been idle. */
const BETWEEN = 60;

export async function killRunnersInTurn(
  runners: Runners,
  { kills, partitions, seed = 1 }: Killing,
): Promise<Killed> {
  const random = randomFrom(seed);
  const ids = Array.from({ length: WORKFLOWS }, (_, n) => `w${n}`);
  for (const partition of partitions) await runners.start({ partition });
  let dead = 0;
  for (; dead < kills; dead++) {
    const before = await done(runners);
    await runners.send(ids);
    await waitFor(runners.db, 'progress', async () =>
      (await done(runners)) >= before + BETWEEN ? true : null,
    );
    const victim = runners.processes[Math.floor(random() * runners.processes.length)]!;
    victim.kill('SIGKILL');
    await victim.ended;
    await runners.start({ partition: victim.partition });
  }
  await runners.send(ids);
  return { audit: await runners.settled(), kills: dead };
}

async function done({ db }: Runners): Promise<number> {
  return (await one<{ n: number }>(db, `select count(*) as n from action where state = 'done'`)).n;
}
