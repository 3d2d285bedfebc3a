/** Duration of production checkpoints under concurrency, with the rows of realistic batches of objects. */
import { randomUUID } from 'node:crypto';
import type { Key } from '../../src/base/key.ts';
import type { Database } from '../../src/db/database.ts';
import { claimLease } from '../../src/engine/leases/claim-store.ts';
import type { HeldLease } from '../../src/engine/leases/lease.ts';
import { DEFAULT_RULES } from '../../src/governance/rule-set.ts';
import { type CheckpointUpdate, checkpoint } from '../../src/scans/checkpoint/checkpoint.ts';
import { CheckpointBatch } from '../../src/scans/checkpoint/checkpoint-batch.ts';
import { Inspector } from '../../src/scans/detect/inspector.ts';
import { InventoryHash } from '../../src/scans/inventory/inventory.ts';
import { withScanEvents } from '../../src/scans/lifecycle/scan-events.ts';
import { SHARD } from '../../src/scans/lifecycle/start-scan.ts';
import { createSimSource, type SimSource } from '../../src/sources/sim/sim.ts';
import { plannedScan } from '../../test/support/scan.ts';

const secret = Buffer.alloc(32, 7);
const TTL_MS = 60_000;

export interface CheckpointLoad {
  /** Checkpoints of each shard. */
  readonly each: number;
  /** How many shards are written at the same time. */
  readonly shards: number;
  readonly objects: number;
  /** How many of them hold a value. */
  readonly findings: number;
}

/** Milliseconds of every checkpoint of all shards. */
export async function measureCheckpoints(db: Database, load: CheckpointLoad): Promise<number[]> {
  const { each, shards, objects } = load;
  const batches = new CheckpointBatches(load);
  const ends = Array.from({ length: shards - 1 }, (_, n) => batches.keyAt((n + 1) * each * objects - 1));
  const ranges = [...ends, null].map((upTo, n) => ({ after: ends[n - 1] ?? ('' as Key), upTo }));
  const scan = await plannedScan(db, batches.clean, ranges);
  const shardsHeld: HeldLease[] = [];
  for (const _ of ranges) {
    const wanted = { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: TTL_MS };
    shardsHeld.push((await claimLease(db, wanted))!);
  }
  // Made before the clock runs: objects are inspected and hashed beside a checkpoint, not in it.
  const made = ranges.map((_, shard) =>
    Array.from({ length: each }, (_, n) => batches.from((shard * each + n) * objects)),
  );
  const times = await Promise.all(shardsHeld.map((held, shard) => writeAll(db, held, made[shard]!)));
  await db.query('delete from lease_group where id = $1', [scan]);
  return times.flat();
}

type Written = Pick<CheckpointUpdate, 'cursor' | 'tally'>;

async function writeAll(db: Database, first: HeldLease, tallies: readonly Written[]): Promise<number[]> {
  const times: number[] = [];
  let held = first;
  for (const written of tallies) {
    const to = {
      ...written,
      reserved: written.cursor,
      ttlMs: TTL_MS,
      base: null,
      inventoryKey: 'bench',
      retrying: false,
      started: true,
    };
    const began = performance.now();
    const moved = await withScanEvents(db, (tx, appendEvent) => checkpoint(tx, held, to, appendEvent));
    times.push(performance.now() - began);
    if (moved === null) throw new Error('A lease was lost.');
    held = moved;
  }
  return times;
}

/** Batches of simulated objects after inspection. */
class CheckpointBatches {
  readonly clean: SimSource;
  readonly #load: CheckpointLoad;
  readonly #inspectors: { readonly source: SimSource; readonly inspector: Inspector }[];
  readonly #hash = new InventoryHash(secret);

  constructor(load: CheckpointLoad) {
    const all = load.shards * load.each * load.objects;
    this.#load = load;
    this.#inspectors = [0, 1000].map((perThousand) => {
      const source = createSimSource({ objects: all, perThousand });
      return {
        source,
        inspector: new Inspector(source, { rules: DEFAULT_RULES, secret, maxFindingsPerType: 100 }),
      };
    });
    this.clean = this.#inspectors[0]!.source;
  }

  keyAt(index: number): Key {
    return this.clean.objectAt(index).key;
  }

  from(first: number): Written {
    const tally = new CheckpointBatch(this.#hash);
    const { objects, findings } = this.#load;
    for (let n = 0; n < objects; n++) {
      const { source, inspector } = this.#inspectors[n < findings ? 1 : 0]!;
      const object = source.objectAt(first + n);
      tally.add(object, inspector.inspectSync(object)!);
    }
    if (tally.findings !== findings) throw new Error(`${tally.findings} findings instead of ${findings}.`);
    return { cursor: this.keyAt(first + objects - 1), tally };
  }
}
