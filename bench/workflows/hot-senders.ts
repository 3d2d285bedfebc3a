/** Senders that each await the outcome before they send again. As a process of its own: `node hot-senders.ts '{"url":…}'` prints the results. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/db/pool.ts';
import { WorkflowClient } from '../../src/workflows/client.ts';
import { handleCommands } from '../../src/workflows/commands/handle.ts';
import { quiet } from './kinds.ts';

export interface HotSettings {
  readonly url: string;
  readonly id: string;
  /** Each command by itself, or through the client's queue. */
  readonly way: 'old' | 'new';
  readonly senders: number;
  readonly forMs: number;
}

export interface HotResult {
  readonly accepted: number;
  readonly errors: number;
  readonly seconds: number;
  /** Of each command, in order of size. */
  readonly milliseconds: readonly number[];
}

export async function sendHot({ url, id, way, senders, forMs }: HotSettings): Promise<HotResult> {
  const db = await openDatabase({ databaseUrl: url, max: 10, preferIndexes: true });
  const client = new WorkflowClient(db);
  const command = { type: 'note' as const, n: 1 };
  const send = async () =>
    way === 'new'
      ? client.send(quiet, id, command)
      : (await handleCommands(db, quiet, [{ tenant: 'default', id, command }]))[0]!;
  await db.query('select 1');
  const milliseconds: number[] = [];
  let [accepted, errors] = [0, 0];
  const began = performance.now();
  const sender = async () => {
    while (performance.now() - began < forMs) {
      const sent = performance.now();
      try {
        if ((await send()).outcome === 'accepted') accepted++;
        else errors++;
      } catch {
        errors++;
      }
      milliseconds.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  const seconds = (performance.now() - began) / 1000;
  await client.close();
  return { accepted, errors, seconds, milliseconds: milliseconds.sort((a, b) => a - b) };
}

if (import.meta.main) {
  const { start, ...settings }: HotSettings & { start: number } = JSON.parse(process.argv[2]!);
  await sleep(Math.max(0, start - Date.now()));
  process.stdout.write(JSON.stringify(await sendHot(settings)));
}
