/** The results of a segment's chunks since its last checkpoint, ready to be staged with the next one. */
import { SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import { writeInSavepoint } from '../../db/rejected-data.ts';
import { sanitizeBytes } from '../../db/sanitize.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import type { TypeCount } from '../../governance/score.ts';
import { isObjectError, type ObjectError, type SourceObject } from '../../sources/source.ts';
import { type ObjectEnd, wasInspected } from '../checkpoint/checkpoint-batch.ts';
import { addToShard } from '../checkpoint/result-store.ts';
import { notStored } from '../checkpoint/write-isolated.ts';
import { isChunk, type SegmentedObject } from './segment.ts';
import {
  joinSegments,
  limitFindings,
  mergeTypes,
  type SegmentResult,
  toSegmentResult,
} from './segment-result.ts';
import { insertSegmentResult } from './segment-store.ts';

export class SegmentBatch {
  readonly #segmented: SegmentedObject;
  readonly #maxFindingsPerType: number;
  /** Counts of earlier batches: of each type only the first findings are staged. */
  readonly #before: readonly TypeCount[];
  #result: SegmentResult | null = null;
  listed = 0;
  bytesRead = 0;
  /** Number of findings in memory; not all of them are staged. */
  findings = 0;

  constructor(parted: SegmentedObject, maxFindingsPerType: number, before: readonly TypeCount[]) {
    this.#segmented = parted;
    this.#maxFindingsPerType = maxFindingsPerType;
    this.#before = before;
  }

  /** Called in order. The listing of a segment consists of chunks, and all are inspected. */
  add(item: SourceObject | ObjectError, inspection: ObjectEnd): void {
    if (isObjectError(item) || !isChunk(item) || !wasInspected(inspection))
      throw new SeineError('internal', 'Something else than a step was found in a part.');
    const result = toSegmentResult(item.step, inspection);
    this.#result = this.#result ? joinSegments(this.#result, result, this.#maxFindingsPerType) : result;
    this.listed++;
    this.bytesRead += sanitizeBytes(inspection.bytesRead);
    this.findings += inspection.findings.length;
  }

  /**
   * `isolated`: PostgreSQL rejected some rows. If it was the result, these bytes count as not read, and
   * their object as dead.
   */
  async write(tx: Tx, held: HeldLease, inventoryKey: string, isolated = false): Promise<void> {
    const result = this.#result!;
    const findings = limitFindings(result.findings, this.#before, this.#maxFindingsPerType);
    const write = () =>
      insertSegmentResult(tx, this.#segmented.id, held.id, { ...result, findings }, inventoryKey);
    const refused = isolated ? await writeInSavepoint(tx, write) : await write().then(() => null);
    if (refused !== null)
      await insertSegmentResult(
        tx,
        this.#segmented.id,
        held.id,
        toSegmentResult(result, notStored(refused)),
        inventoryKey,
      );
    await addToShard(tx, held.id, 0, this.bytesRead);
  }

  /** This batch has been written: returns an empty one for the following chunks. */
  next(): SegmentBatch {
    const types = this.#result ? mergeTypes(this.#before, this.#result.types) : this.#before;
    return new SegmentBatch(this.#segmented, this.#maxFindingsPerType, types);
  }
}
