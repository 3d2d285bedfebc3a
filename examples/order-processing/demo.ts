/**
 * `npm run orders [-- NUMBER]`: three runners, 10,000 orders, five runners while they run, one of them killed; then whether every order has
 * ended once. In a data folder of its own, unless DATABASE_URL says where.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const many = Number(process.argv[2] ?? 10_000);
const home = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'seine-orders-'));
chmodSync(folder, 0o711); // root's database runs under an account of its own
// Before the workflows are loaded, here and in the runners: three days in less than a minute.
Object.assign(process.env, {
  SEINE_DATA: folder,
  SHIP_WITHIN_MS: '40000',
  REMIND_EVERY_MS: '15000',
  TRANSIT_MS: '500',
});

const { openWorkflows } = await import('seine/workflows');
const { closeOutside } = await import('./outside.ts');
const { makeTables, readTotals } = await import('./check.ts');
const { placeOrders } = await import('./place.ts');

const runners: ChildProcess[] = [];
const started = performance.now();
const log = (sentence: string) =>
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${sentence}\n`);

function startRunner(): void {
  const module = join(import.meta.dirname, 'workflows.ts');
  const runner = spawn(join(home, 'seine'), ['runner', '--module', module, '--quiet'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SEINE_LEASE_SECONDS: process.env.SEINE_LEASE_SECONDS ?? '5' },
  });
  runners.push(runner);
}

async function until(ended: number): Promise<void> {
  let loggedAt = 0;
  for (;;) {
    const now = await readTotals();
    if (performance.now() - loggedAt > 5000) {
      log(`${now.ended} of ${now.orders} orders have ended`);
      loggedAt = performance.now();
    }
    if (now.ended >= ended) return;
    await sleep(500);
  }
}

const client = await openWorkflows();
try {
  await makeTables();
  for (let n = 0; n < 3; n++) startRunner();
  log('three runners start');
  await placeOrders(client, many);
  log(`${many} orders are placed`);
  await until(many / 4);
  for (let n = 0; n < 2; n++) startRunner();
  log('two more runners join');
  await until(many / 2);
  runners[0]!.kill('SIGKILL');
  log(`runner ${runners[0]!.pid} is killed`);
  await until(many);
  await settled();
  const { faults, ...counts } = await readTotals();
  log('all orders have ended:');
  for (const [what, n] of [...Object.entries(counts), ...Object.entries(faults)])
    process.stdout.write(`${String(n).padStart(10)}  ${what}\n`);
  process.exitCode = Object.values(faults).every((n) => n === 0) ? 0 : 1;
} finally {
  for (const runner of runners) runner.kill('SIGTERM');
  await Promise.all(
    runners
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      .map((r) => once(r, 'exit')),
  );
  await client.close();
  await closeOutside();
  rmSync(folder, { recursive: true, force: true });
}

/** The last reactions come after the last end. */
async function settled(): Promise<void> {
  while ((await readTotals()).faults['events without reaction'] !== 0) await sleep(200);
}
