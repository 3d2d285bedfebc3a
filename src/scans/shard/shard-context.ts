import type { Database } from '../../db/database.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import type { Source } from '../../sources/source.ts';
import type { Pacer, PacerState } from '../checkpoint/checkpoint-pacer.ts';
import type { InspectionQueue } from '../detect/scan-queue.ts';
import type { InventoryHash } from '../inventory/inventory.ts';
import type { Names } from '../names/name-masker.ts';
import type { OpenSegment } from '../segments/open-segment.ts';
import type { SuppressionChange } from '../suppressions/stale-rows.ts';
import type { LiveCounters } from './live-counters.ts';

/** What the run of one shard needs: see openShard. */
export interface ShardContext {
  readonly db: Database;
  readonly source: Source;
  readonly queue: InspectionQueue;
  readonly hash: InventoryHash;
  readonly base: number | null;
  /** Identifies the scan's rules and the versions of this process: see inventoryKey in start-scan.ts. */
  readonly inventoryKey: string;
  /** Changes of the suppressions since the base scan. */
  readonly change?: SuppressionChange | null;
  readonly ttlMs: number;
  readonly live: LiveCounters;
  readonly jobs: Jobs;
  /** Objects are retried: new results replace earlier ones. */
  readonly retrying?: boolean;
  /** Called with its first object, if it has any. */
  readonly onStart?: () => void;
  /** The state left by earlier shards of the scan. */
  readonly pacerState?: PacerState;
  /** Replaces the adaptive number of objects per checkpoint. */
  readonly pacer?: (careful: boolean) => Pacer;
  /** Minimum size of objects that are read by segments, if not the default. */
  readonly minSegmentedBytes?: number | undefined;
  /** The start of the scan has already been recorded. */
  readonly started?: boolean;
  /** Set if the shard is a segment of a huge object. */
  readonly segment?: OpenSegment;
  /** The storage form of names. */
  readonly names?: Names;
}
