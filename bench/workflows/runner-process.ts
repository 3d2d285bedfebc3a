/** A runner as a process of its own: `node runner-process.ts '{"url":…,"workflow":…}'`. Says `ready`, ends in order at SIGTERM. */
import { openDatabase } from '../../src/db/pool.ts';
import { runWorkflows } from '../../src/workflows/client.ts';
import { kindsOf } from './kinds.ts';
import type { RunnerSettings } from './runners.ts';

const { url, workflow, ...settings }: RunnerSettings & { url: string } = JSON.parse(process.argv[2]!);
const own = await openDatabase({ databaseUrl: url, max: 8 }); // of the actions
const workflows = kindsOf(own).filter(({ name }) => name === workflow);
const say = (sentence: string) => process.stderr.write(`${sentence}\n`);
const runner = await runWorkflows({ ...settings, workflows, databaseUrl: url, say });
let ending = false;
process.once('SIGTERM', () => end(0));
runner.broken.catch(() => end(3));
process.stdout.write('ready\n');

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await runner.stop();
  await own.close();
  process.exit(code);
}
