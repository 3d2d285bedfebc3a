import { SeineError } from '../../base/errors.ts';
import type { Range } from '../../base/range.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import type { Queryable } from '../../db/database.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { isHeld } from '../../engine/leases/lease-store.ts';
import type { TypeCount } from '../../governance/score.ts';
import type { Source } from '../../sources/source.ts';
import type { ObjectScoring } from './assemble-segments.ts';
import { chunksOf, objectOf, type SegmentChunk, type SegmentedObject, type SegmentSizes } from './segment.ts';
import { SegmentBatch } from './segment-batch.ts';
import { mergeTypes } from './segment-result.ts';
import { readSegmented, readTypesOfLease } from './segment-store.ts';

/** An open segment: the rest of it, as a shard that lists chunks instead of objects. */
export interface OpenSegment {
  readonly parted: SegmentedObject;
  readonly judging: ObjectScoring;
  readonly source: Source;
  readonly batch: SegmentBatch;
}

/** Returns null if the lease was lost meanwhile, and the object has ended. */
export async function openSegment(
  db: Queryable,
  held: HeldLease,
  source: Source,
  judging: ObjectScoring,
  cutting?: SegmentSizes,
  storage?: KeyCodec,
): Promise<OpenSegment | null> {
  const parted = await readSegmentedObject(db, held, storage);
  if (parted === null) return null;
  const rows = await readTypesOfLease(db, held.id);
  const before = rows.reduce<readonly TypeCount[]>(mergeTypes, []);
  return {
    parted,
    judging,
    source: chunkSource(source, parted, cutting),
    batch: new SegmentBatch(parted, judging.maxFindingsPerType, before),
  };
}

async function readSegmentedObject(
  db: Queryable,
  held: HeldLease,
  storage?: KeyCodec,
): Promise<SegmentedObject | null> {
  const parted = await readSegmented(db, objectOf(held.cursor), storage);
  if (parted === null && (await isHeld(db, held)))
    throw new SeineError('internal', `The object of the part ${held.id} has ended without it.`);
  return parted;
}

function chunkSource(source: Source, parted: SegmentedObject, cutting?: SegmentSizes): Source {
  async function* list(range: Range): AsyncGenerator<SegmentChunk[]> {
    for (const step of chunksOf(parted, range, cutting)) yield [step];
  }
  return { ...source, list };
}
