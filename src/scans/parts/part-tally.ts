/** What came out of the steps of a part since its last checkpoint, ready to be staged with the next one. */
import { SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import { tryToWrite } from '../../db/refused-data.ts';
import { storableBytes } from '../../db/storable.ts';
import type { Held } from '../../engine/leases/lease.ts';
import type { TypeCount } from '../../governance/score.ts';
import { isObjectError, type ObjectError, type SourceObject } from '../../sources/source.ts';
import { addToShard } from '../result-store.ts';
import { type Ending, wasInspected } from '../tally.ts';
import { notStored } from '../write-isolated.ts';
import { isStep, type PartedObject } from './part.ts';
import { addTypes, join, keptOf, type PartResult, resultOf } from './part-result.ts';
import { insertResult } from './part-store.ts';

export class PartTally {
  readonly #parted: PartedObject;
  readonly #keepEach: number;
  /** Found in the part before: of each type only the first findings are staged. */
  readonly #before: readonly TypeCount[];
  #result: PartResult | null = null;
  listed = 0;
  bytesRead = 0;
  /** That were in memory; not all of them are staged. */
  findings = 0;

  constructor(parted: PartedObject, keepEach: number, before: readonly TypeCount[]) {
    this.#parted = parted;
    this.#keepEach = keepEach;
    this.#before = before;
  }

  /** In order of place. The listing of a part gives steps, and steps are looked at. */
  add(item: SourceObject | ObjectError, inspection: Ending): void {
    if (isObjectError(item) || !isStep(item) || !wasInspected(inspection))
      throw new SeineError('internal', 'Something else than a step was found in a part.');
    const result = resultOf(item.step, inspection);
    this.#result = this.#result ? join(this.#result, result, this.#keepEach) : result;
    this.listed++;
    this.bytesRead += storableBytes(inspection.bytesRead);
    this.findings += inspection.findings.length;
  }

  /** `isolated`: PostgreSQL has refused some of it. If it was the result, these bytes count as not looked at, and their object as dead. */
  async write(tx: Tx, held: Held, inventoryKey: string, isolated = false): Promise<void> {
    const result = this.#result!;
    const findings = keptOf(result.findings, this.#before, this.#keepEach);
    const write = () => insertResult(tx, this.#parted.id, held.id, { ...result, findings }, inventoryKey);
    const refused = isolated ? await tryToWrite(tx, write) : await write().then(() => null);
    if (refused !== null)
      await insertResult(tx, this.#parted.id, held.id, resultOf(result, notStored(refused)), inventoryKey);
    await addToShard(tx, held.id, 0, this.bytesRead);
  }

  /** This one has been written: that for what comes after it. */
  next(): PartTally {
    const types = this.#result ? addTypes(this.#before, this.#result.types) : this.#before;
    return new PartTally(this.#parted, this.#keepEach, types);
  }
}
