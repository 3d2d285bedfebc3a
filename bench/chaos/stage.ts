/** The environment of fault scenarios: workers, a source to scan, and the findings of an undisturbed scan. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../examples/generator/random.ts';
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import type { Running } from '../../test/support/seine.ts';
import { type FaultContext, type Outcome, withFault } from '../../test/support/with-fault.ts';
import type { Bench } from '../benchmark.ts';
import type { Postgres } from '../postgres.ts';
import { openSharedCluster, type SharedCluster } from '../shared-cluster.ts';

export interface Target {
  readonly target: string;
  readonly objects: number;
}

export interface Played {
  readonly outcome: Outcome;
  /** Expected results: the findings of the undisturbed scan, every object in the ledger, one hook call. */
  readonly whole: boolean;
  readonly seconds: number;
}

export interface Stage {
  readonly bench: Bench;
  readonly cluster: SharedCluster;
  readonly random: Random;
  readonly receiver: Receiver;
  /** Runs a scan with faults to its end. */
  scan(what: Target, fault: (scene: FaultContext) => Promise<void>): Promise<Played>;
  /** Its duration without faults. */
  calmSeconds(what: Target): Promise<number>;
  /** One of those that are ready. */
  anyWorker(): Running;
  close(): Promise<void>;
}

export const LEASE_MS = 2000;
const WAIT_TIMEOUT_MS = 30 * 60_000;
const NO_WORKER_TIMEOUT_MS = 30_000;

export async function openStage(
  bench: Bench,
  name: string,
  env: Readonly<Record<string, string>> = {},
  startServer?: (folder: string) => Promise<Postgres>,
): Promise<Stage> {
  const settings = { SEINE_LEASE_SECONDS: `${LEASE_MS / 1000}`, ...env };
  const cluster = await openSharedCluster(bench, name, settings, startServer);
  const receiver = await startReceiver();
  const random = new Random(bench.seed, name);
  const calm = new Map<string, Promise<Timed>>();
  const timed = (what: Target, fault: (scene: FaultContext) => Promise<void>) =>
    timedScan(cluster, receiver, what, fault);

  function undisturbed(what: Target): Promise<Timed> {
    const known = calm.get(what.target) ?? timed(what, async () => {});
    calm.set(what.target, known);
    return known;
  }

  return {
    bench,
    cluster,
    random,
    receiver,
    async scan(what, fault) {
      const expected = await undisturbed(what);
      const { outcome, seconds } = await timed(what, fault);
      return { outcome, seconds, whole: isComplete(outcome, expected.outcome, what.objects) };
    },
    calmSeconds: async (what) => (await undisturbed(what)).seconds,
    anyWorker: () => random.pick(cluster.workers),
    async close() {
      await cluster.close();
      await receiver.close();
    },
  };
}

interface Timed {
  readonly outcome: Outcome;
  readonly seconds: number;
}

async function timedScan(
  cluster: SharedCluster,
  receiver: Receiver,
  { target }: Target,
  fault: (scene: FaultContext) => Promise<void>,
): Promise<Timed> {
  const began = performance.now();
  const stop = new AbortController();
  try {
    const scan = withFault(cluster, receiver, target, fault, { timeoutMs: WAIT_TIMEOUT_MS });
    const outcome = await Promise.race([scan, untilNoWorkers(cluster, stop.signal)]);
    return { outcome, seconds: (performance.now() - began) / 1000 };
  } finally {
    stop.abort();
  }
}

/** A scan whose workers have all exited by themselves never ends: this fails at once instead of waiting. */
async function untilNoWorkers({ workers }: SharedCluster, signal: AbortSignal): Promise<never> {
  let last = Date.now();
  for (;;) {
    await sleep(1000, null, { signal, ref: false });
    if (workers.length > 0) last = Date.now();
    if (Date.now() - last > NO_WORKER_TIMEOUT_MS)
      throw new Error('All workers have ended, and the scan has not.');
  }
}

export function isComplete(outcome: Outcome, calm: Outcome, objects: number): boolean {
  const { status, listed, ledgered, digest, hooks } = outcome;
  return (
    status === 'completed' &&
    listed === objects &&
    ledgered === objects &&
    digest === calm.digest &&
    hooks === 1
  );
}
