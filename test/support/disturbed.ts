/** A scan by several workers, with trouble in the middle, and what must be true of it in the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, one } from '../../src/db/database.ts';
import { findingsDigest } from '../../src/scans/finding-store.ts';
import { readScan } from '../../src/scans/scan-store.ts';
import { coverageSums } from '../../src/scans/shard-store.ts';
import type { Cluster } from './cluster.ts';
import type { Receiver } from './receiver.ts';

export interface Outcome {
  readonly status: string;
  readonly listed: number;
  readonly ledgered: number;
  readonly digest: string;
  /** Webhooks that came for this scan, by delivery id. */
  readonly hooks: number;
  readonly scan: number;
}

export interface Trouble {
  readonly cluster: Cluster;
  readonly scan: number;
  /** Objects that the ledger has by now. */
  progress(): Promise<number>;
  until(objects: number): Promise<void>;
  ended(): Promise<boolean>;
}

/** Hands a scan over, makes trouble while it runs, and waits for its end. */
export async function disturbed(
  cluster: Cluster,
  receiver: Receiver,
  target: string,
  trouble: (scene: Trouble) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const { code, stdout, stderr } = await cluster.run(
    ['scan', target, '--full', '--json', '--webhook', receiver.url],
    { env: { SEINE_WEBHOOK_ALLOW_PRIVATE: 'true', ...env } },
  );
  if (code !== 0) throw new Error(stderr);
  const scan = Number(JSON.parse(stdout).scan);
  const { db } = cluster;
  const progress = async () => (await patiently(() => coverageSums(db, scan))).ledgered;
  const ended = async () => (await patiently(() => readScan(db, scan)))!.finishedAt !== null;
  const until = async (objects: number) => {
    while ((await progress()) < objects && !(await ended())) await sleep(20);
  };
  await trouble({ cluster, scan, progress, until, ended });
  while (!(await ended())) await sleep(50);
  await hooksDone(db, scan);
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
async function hooksDone(db: Database, scan: number): Promise<void> {
  for (;;) {
    const { waiting } = await patiently(() =>
      one<{ waiting: number }>(
        db,
        `select count(*) as waiting from hook where scan_id = $1 and state = 'waiting'`,
        [scan],
      ),
    );
    if (waiting === 0) return;
    await sleep(50);
  }
}

/** The test may have taken the database away itself. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await sleep(50);
    }
  }
}
