import { SeineError } from '../../base/errors.ts';
import type { Range } from '../../base/range.ts';
import type { KeyStorage } from '../../base/sealed-key.ts';
import type { Queryable } from '../../db/database.ts';
import type { Held } from '../../engine/leases/lease.ts';
import { isHeld } from '../../engine/leases/lease-store.ts';
import type { TypeCount } from '../../governance/score.ts';
import type { Source } from '../../sources/source.ts';
import type { Judging } from './assemble.ts';
import { type Cutting, objectOf, type PartedObject, type StepObject, stepsOf } from './part.ts';
import { addTypes } from './part-result.ts';
import { readParted, readTypesOfLease } from './part-store.ts';
import { PartTally } from './part-tally.ts';

/** A part at hand: what is left of it, as a shard that lists steps in the place of objects. */
export interface OpenPart {
  readonly parted: PartedObject;
  readonly judging: Judging;
  readonly source: Source;
  readonly tally: PartTally;
}

/** Null: the lease was lost meanwhile, and the object has ended without us. */
export async function openPart(
  db: Queryable,
  held: Held,
  source: Source,
  judging: Judging,
  cutting?: Cutting,
  storage?: KeyStorage,
): Promise<OpenPart | null> {
  const parted = await partedObjectOf(db, held, storage);
  if (parted === null) return null;
  const rows = await readTypesOfLease(db, held.id);
  const before = rows.reduce<readonly TypeCount[]>(addTypes, []);
  return {
    parted,
    judging,
    source: stepSource(source, parted, cutting),
    tally: new PartTally(parted, judging.keepEach, before),
  };
}

async function partedObjectOf(db: Queryable, held: Held, storage?: KeyStorage): Promise<PartedObject | null> {
  const parted = await readParted(db, objectOf(held.cursor), storage);
  if (parted === null && (await isHeld(db, held)))
    throw new SeineError('internal', `The object of the part ${held.id} has ended without it.`);
  return parted;
}

function stepSource(source: Source, parted: PartedObject, cutting?: Cutting): Source {
  async function* list(range: Range): AsyncGenerator<StepObject[]> {
    for (const step of stepsOf(parted, range, cutting)) yield [step];
  }
  return { ...source, list };
}
