/** The outcomes of a window of objects, ready to be written with a checkpoint. */
import { displayKey, type Key } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import { sanitizeBytes, sanitizeTime } from '../../db/sanitize.ts';
import { isObjectError, type ObjectError, type SourceObject } from '../../sources/source.ts';
import { BlockWriter, type InventoryHash } from '../inventory/inventory.ts';
import { type Inspection, isNotable } from '../results/inspection.ts';
import type { LedgerLine, ObjectOutcome } from '../results/report.ts';
import { encodeSubThreshold, type SubThresholdObject } from '../results/sub-threshold.ts';

export interface NotableObject {
  /** In stored form. */
  readonly key: Key;
  readonly path: string;
  readonly folder: string;
  readonly size: number;
  readonly modified: number | null;
  readonly inspection: Inspection;
}

/**
 * How an object ended: unchanged since the base scan (and whether that has a row for it), inspected, or
 * divided into segments.
 */
export type ObjectEnd =
  | 'unchanged, clean'
  | { readonly unchanged: SubThresholdObject }
  | 'unchanged, has a row'
  | 'by parts'
  | Inspection;

export function wasInspected(ending: ObjectEnd): ending is Inspection {
  return typeof ending !== 'string' && !('unchanged' in ending);
}

type LedgerLines = Map<string, { outcome: ObjectOutcome; reason: string; objects: number; bytes: number }>;

export class CheckpointBatch {
  readonly #hash: InventoryHash;
  readonly #storage: KeyCodec;
  readonly #block = new BlockWriter();
  readonly #ledger: LedgerLines = new Map();
  readonly #subThreshold: SubThresholdObject[] = [];
  readonly #items: (SourceObject | ObjectError)[] = [];
  readonly #ends: ObjectEnd[] = [];
  listed = 0;
  bytesRead = 0;
  notable: NotableObject[] = [];
  /** Keys, in stored form, whose rows are copied from the base scan. */
  unchangedKeys: Key[] = [];
  /**
   * Huge objects: from this checkpoint on they are read by segments, and the last segment records their
   * outcome.
   */
  segmented: SourceObject[] = [];
  findings = 0;

  constructor(hash: InventoryHash, storage: KeyCodec = PLAIN_KEYS) {
    this.#hash = hash;
    this.#storage = storage;
  }

  /** In stored form. */
  get keys(): Key[] {
    return this.#items.map((item) => this.#storage.seal(item.key));
  }

  /** In the stored form of this version, and of earlier versions that did not inspect names. */
  get keysOfAllVersions(): Key[] {
    return [...new Set([...this.keys, ...this.#items.map(({ key }) => key)])];
  }

  add(listed: SourceObject | ObjectError, ending: ObjectEnd): void {
    this.listed++;
    this.#items.push(listed);
    this.#ends.push(ending);
    const item = withStorableNumbers(listed);
    if (isObjectError(item)) return this.#addNotable(item.key, 0, null, ending as Inspection);
    if (ending === 'by parts') return void this.segmented.push(item);
    if (ending === 'unchanged, has a row')
      this.unchangedKeys.push(this.#storage.seal(item.key)); // counted when it is copied
    else if (wasInspected(ending)) this.#addInspected(item, ending);
    else count(this.#ledger, 'unchanged', '', item.size);
    if (typeof ending !== 'string' && 'unchanged' in ending) this.#subThreshold.push(ending.unchanged);
    if (!wasInspected(ending) || ending.stable) {
      const flagged = ending === 'unchanged, has a row' || (wasInspected(ending) && isNotable(ending));
      this.#block.add(this.#hash.of(item), flagged ? 'has a row' : 'clean');
    }
  }

  /**
   * The coverage counts, including the carried objects. Has no side effects, because a checkpoint may be
   * repeated.
   */
  ledger(carried: readonly { outcome: ObjectOutcome; reason: string; size: number }[]): LedgerLine[] {
    const lines = new Map([...this.#ledger].map(([name, line]) => [name, { ...line }]));
    for (const object of carried) count(lines, object.outcome, object.reason, object.size);
    return [...lines.values()];
  }

  /** The same objects as two batches; null when there is only one object. */
  halves(): [CheckpointBatch, CheckpointBatch | null] {
    const middle = (this.listed + 1) >> 1;
    return [this.#slice(0, middle), this.listed > 1 ? this.#slice(middle, this.listed) : null];
  }

  /** The same objects, all with this outcome. */
  withOutcome(inspection: Inspection): CheckpointBatch {
    const batch = this.next();
    for (const item of this.#items) batch.add(item, inspection);
    return batch;
  }

  #slice(from: number, to: number): CheckpointBatch {
    const batch = this.next();
    for (let i = from; i < to; i++) batch.add(this.#items[i]!, this.#ends[i]!);
    return batch;
  }

  /** This batch has been written: returns an empty one for the following objects. */
  next(): CheckpointBatch {
    return new CheckpointBatch(this.#hash, this.#storage);
  }

  block(): Buffer | null {
    return this.#block.bytes();
  }

  subThreshold(): Buffer | null {
    return encodeSubThreshold(this.#subThreshold, this.#storage);
  }

  #addInspected(object: SourceObject, inspection: Inspection): void {
    this.bytesRead += sanitizeBytes(inspection.bytesRead);
    if (isNotable(inspection)) this.#addNotable(object.key, object.size, object.modified, inspection);
    else this.#addClean(object, inspection);
  }

  /** Adds an object without findings above the threshold. */
  #addClean(
    { key, size }: SourceObject,
    { outcome, reason, confidenceHistogram: levels, overlapCounts: contests }: Inspection,
  ): void {
    count(this.#ledger, outcome, reason, size);
    if (levels)
      this.#subThreshold.push({
        key,
        confidenceHistogram: levels,
        ...(contests && { overlapCounts: contests }),
      });
  }

  #addNotable(real: Key, size: number, modified: number | null, inspection: Inspection): void {
    const key = this.#storage.seal(real);
    const path = displayKey(key);
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    count(this.#ledger, inspection.outcome, inspection.reason, size);
    this.notable.push({ key, path, folder, size, modified, inspection });
    this.findings += inspection.findings.length;
  }
}

/** Sizes and times from the source, which may be arbitrary. All rows and sums are derived from these. */
function withStorableNumbers(item: SourceObject | ObjectError): SourceObject | ObjectError {
  if (isObjectError(item)) return item;
  const size = sanitizeBytes(item.size);
  const modified = sanitizeTime(item.modified);
  return size === item.size && modified === item.modified ? item : { ...item, size, modified };
}

function count(lines: LedgerLines, outcome: ObjectOutcome, reason: string, bytes: number): void {
  const name = `${outcome} ${reason}`;
  const line = lines.get(name) ?? { outcome, reason, objects: 0, bytes: 0 };
  lines.set(name, line);
  line.objects++;
  line.bytes += bytes;
}
