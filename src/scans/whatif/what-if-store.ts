/** What a scan stored about its objects, one function per statement. */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import { many, one, type Queryable } from '../../db/database.ts';
import { Block } from '../inventory/inventory.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import type { ConfidenceHistogram, Overlaps } from '../results/confidence-histogram.ts';
import type { ObjectOutcome } from '../results/report.ts';
import { decodeSubThreshold, type SubThresholdObject } from '../results/sub-threshold.ts';
import type { ObjectScore, RecordedObject } from './known-object.ts';

const OBJECTS_AT_ONCE = 500;
const BLOCKS_AT_ONCE = 16;

/** Objects with values, including those below the threshold, in order of keys. */
export async function* recordedObjects(db: Queryable, scan: ScanRow): AsyncGenerator<RecordedObject> {
  const subThreshold = subThresholdObjects(db, scan.id);
  let next = await subThreshold.next();
  for await (const row of rowsOf(db, scan.id)) {
    for (; !next.done && next.value.key < row.key; next = await subThreshold.next())
      yield toRecordedObject(next.value);
    yield row;
  }
  for (; !next.done; next = await subThreshold.next()) yield toRecordedObject(next.value);
}

/** Number of objects that were read completely, have no row, and are not in the inventory any more. */
export async function countUnknownClean(db: Queryable, scan: ScanRow): Promise<number> {
  const { clean } = await one<{ clean: number }>(
    db,
    `select coalesce((select sum(objects) from ledger where scan_id = $1 and outcome in ('scanned', 'unchanged')), 0)::bigint
          - (select count(*) from object_result where scan_id = $1 and outcome in ('scanned', 'unchanged')) as clean`,
    [scan.id],
  );
  let inInventory = 0;
  for await (const block of blocksOf(db, scan.id)) inInventory += new Block(block.upTo, block.entries).clean;
  return Math.max(0, clean - inInventory);
}

function toRecordedObject({
  key,
  confidenceHistogram: levels,
  overlapCounts: contests,
}: SubThresholdObject): RecordedObject {
  return {
    key,
    size: 0,
    modified: null,
    identity: '',
    confidenceHistogram: levels,
    overlapCounts: contests ?? {},
    recorded: null,
  };
}

interface Row extends ObjectScore {
  readonly key: Buffer;
  readonly size: number;
  readonly modified: Date | null;
  readonly outcome: ObjectOutcome;
  readonly confidenceHistogram: ConfidenceHistogram | null;
  readonly overlapCounts: Overlaps | null;
}

async function* rowsOf(db: Queryable, scan: number): AsyncGenerator<RecordedObject> {
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const rows = await many<Row>(
      db,
      `select key, size::double precision, modified, outcome, score, tier, counts, policies, confidence_histogram as "confidenceHistogram", overlap_counts as "overlapCounts"
       from object_result
       where scan_id = $1 and outcome in ('scanned', 'unchanged', 'partial')
         and substring(key from 1 for 1024) >= substring($2::bytea from 1 for 1024) and key > $2
       order by substring(key from 1 for 1024), key
       limit ${OBJECTS_AT_ONCE}`,
      [scan, after],
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.key;
    for (const row of rows) yield knownRow(row);
  }
}

function knownRow(row: Row): RecordedObject {
  const {
    key,
    size,
    modified,
    score,
    tier,
    counts,
    policies,
    confidenceHistogram: levels,
    overlapCounts: contests,
  } = row;
  return {
    key: keyFromBytes(key),
    size,
    modified: modified?.getTime() ?? null,
    identity: '',
    confidenceHistogram: levels,
    overlapCounts: contests ?? {},
    recorded: tier === null ? null : { counts, score, tier, policies },
  };
}

/**
 * Blocks of objects that were read by segments are separate from their neighbours, so each kind is read in
 * its own order.
 */
async function* subThresholdObjects(db: Queryable, scan: number): AsyncGenerator<SubThresholdObject> {
  const all: SubThresholdObject[] = [];
  for await (const { subThreshold } of blocksOf(db, scan)) {
    for (const object of decodeSubThreshold(subThreshold)) all.push(object);
  }
  all.sort((a, b) => (a.key < b.key ? -1 : 1));
  yield* all;
}

interface StoredBlock {
  readonly upTo: Key;
  readonly entries: Buffer;
  readonly subThreshold: Buffer | null;
}

async function* blocksOf(db: Queryable, scan: number): AsyncGenerator<StoredBlock> {
  let after = '' as Key;
  for (;;) {
    const rows = await many<{ up_to: Buffer; entries: Buffer; subThreshold: Buffer | null }>(
      db,
      `select up_to, entries, sub_threshold as "subThreshold" from inventory_block
       where scan_id = $1 and substring(up_to from 1 for 1024) >= substring($2::bytea from 1 for 1024) and up_to > $2
       order by substring(up_to from 1 for 1024), up_to
       limit ${BLOCKS_AT_ONCE}`,
      [scan, keyBytes(after)],
    );
    for (const { up_to, entries, subThreshold } of rows)
      yield { upTo: keyFromBytes(up_to), entries, subThreshold };
    if (rows.length < BLOCKS_AT_ONCE) return;
    after = keyFromBytes(rows.at(-1)!.up_to);
  }
}
