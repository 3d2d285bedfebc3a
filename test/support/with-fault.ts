/** A scan by several workers with a fault during it, and the conditions that must hold at its end. */
import { type Database, many } from '../../src/db/database.ts';
import { readScan } from '../../src/scans/lifecycle/scan-store.ts';
import { findingsDigest } from '../../src/scans/results/finding-store.ts';
import { coverageSums } from '../../src/scans/shard/shard-store.ts';
import type { Cluster } from './cluster.ts';
import type { Receiver } from './receiver.ts';
import { waitFor } from './wait-for.ts';

export interface Outcome {
  readonly status: string;
  readonly listed: number;
  readonly ledgered: number;
  readonly digest: string;
  /** Webhooks received for this scan, by delivery id. */
  readonly hooks: number;
  readonly scan: number;
}

export interface FaultContext {
  readonly cluster: Cluster;
  readonly scan: number;
  /** Objects that the ledger has by now. */
  progress(): Promise<number>;
  until(objects: number): Promise<void>;
  ended(): Promise<boolean>;
}

export interface WithFaultOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** For each wait, when the scan is a long one. */
  readonly timeoutMs?: number;
}

/** Submits a scan, injects a fault while it runs, and waits for its end. */
export async function withFault(
  cluster: Cluster,
  receiver: Receiver,
  target: string,
  fault: (scene: FaultContext) => Promise<void>,
  { env = {}, timeoutMs }: WithFaultOptions = {},
): Promise<Outcome> {
  const { code, stdout, stderr } = await cluster.run(
    ['scan', target, '--full', '--json', '--webhook', receiver.url],
    { env: { SEINE_WEBHOOK_ALLOW_PRIVATE: 'true', ...env } },
  );
  if (code !== 0) throw new Error(stderr);
  const scan = Number(JSON.parse(stdout).scan);
  const { db } = cluster;
  const ledgered = async () => (await coverageSums(db, scan)).ledgered;
  const isOver = async () => (await readScan(db, scan))!.finishedAt !== null;
  const until = async (objects: number) => {
    const there = async () => (await ledgered()) >= objects || (await isOver()) || null;
    await waitFor(db, `${objects} objects of scan ${scan}`, there, timeoutMs);
  };
  // The fault may be an unreachable database.
  const progress = () => waitFor(db, 'the ledger', ledgered);
  const ended = () => waitFor(db, 'the scan', isOver);
  await fault({ cluster, scan, progress, until, ended });
  await waitFor(db, `the end of scan ${scan}`, async () => (await isOver()) || null, timeoutMs);
  await waitFor(db, `the hooks of scan ${scan}`, () => hooksDone(db, scan), timeoutMs);
  return outcomeOf(cluster, receiver, scan);
}

async function outcomeOf({ db }: Cluster, receiver: Receiver, scan: number): Promise<Outcome> {
  const row = (await readScan(db, scan))!;
  const { status } = row;
  const { listed, ledgered } = await coverageSums(db, scan);
  const ids = receiver.deliveries.filter(({ body }) => Number(body.scan?.id) === scan).map(({ id }) => id);
  return { status, listed, ledgered, digest: await findingsDigest(db, row), hooks: new Set(ids).size, scan };
}

/** Webhooks are jobs of their own: they may come after the end. */
async function hooksDone(db: Database, scan: number): Promise<true | null> {
  const waiting = await many<object>(db, `select from scan_hook where scan_id = $1 and state = 'waiting'`, [
    scan,
  ]);
  return waiting.length === 0 || null;
}
