/**
 * Which unchanged objects must be read again, because the active suppressions differ from those of the base
 * scan.
 *
 * An object that was clean is still clean. One with a row may differ if a removed suppression matched in
 * it, or if a new one may match: this is decided by the kept findings, and where more were found than are
 * kept, the object is read again. So a new suppression costs only the affected objects, not the bucket.
 */
import { type Key, keyBytes, keyFromBytes, SEAL } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import { many, type Queryable } from '../../db/database.ts';
import { FINDINGS_PER_TYPE_WHEN_FULL, MAX_FULL_TYPES } from '../results/finding-limit.ts';
import type { ActiveSuppression } from './suppression.ts';
import { acceptedBy, snapshotDifference } from './suppression-store.ts';
import { Suppressor } from './suppressor.ts';

export interface SuppressionChange {
  readonly gone: readonly number[];
  readonly added: readonly ActiveSuppression[];
}

/** Returns null if the suppressions are the same, or if there is no base scan. */
export async function suppressionChange(
  db: Queryable,
  { id, base }: { readonly id: number; readonly base: number | null },
): Promise<SuppressionChange | null> {
  if (base === null) return null;
  const { gone, added } = await snapshotDifference(db, base, id);
  if (gone.length === 0 && added.length === 0) return null;
  const fresh = new Set(added);
  return { gone, added: (await acceptedBy(db, id)).filter((entry) => fresh.has(entry.id)) };
}

/** For a listing that goes forward. */
export class StaleRows {
  readonly #db: Queryable;
  readonly #base: number;
  readonly #change: SuppressionChange;
  readonly #suppressor: Suppressor;
  readonly #fingerprints: readonly string[];
  /** Detectors with suppressions of single values. */
  readonly #detectorsWithValues: ReadonlySet<string>;
  readonly #storage: KeyCodec;
  #after: Key;
  #keys: ReadonlySet<Key> = new Set();
  #sealed: ReadonlySet<Key> | null = null;

  constructor(
    db: Queryable,
    base: number,
    change: SuppressionChange,
    after: Key,
    storage: KeyCodec = PLAIN_KEYS,
  ) {
    this.#storage = storage;
    this.#db = db;
    this.#base = base;
    this.#change = change;
    this.#suppressor = new Suppressor(change.added, storage);
    const valued = change.added.filter((entry) => entry.fingerprint !== null);
    this.#fingerprints = valued.map((entry) => entry.fingerprint!);
    this.#detectorsWithValues = new Set(valued.map((entry) => entry.detector));
    this.#after = after;
  }

  /** Loads what is needed for keys up to this one. */
  async prepare(upTo: Key): Promise<void> {
    if (upTo <= this.#after) return;
    this.#sealed ??= await this.#staleSealed();
    this.#keys = this.#staleOf(await this.#read(upTo));
    this.#after = upTo;
  }

  has(key: Key): boolean {
    return this.#keys.has(key) || (this.#sealed?.has(key) ?? false);
  }

  /** Sealed keys are not stored in listing order, so these are read once, for all shards of this process. */
  #staleSealed(): Promise<ReadonlySet<Key>> {
    const before = sealedOf.get(this.#change);
    if (before !== undefined) return before;
    const rows = many<Row>(this.#db, `${ROWS} and position($4::bytea in key) > 0`, [
      ...this.#parameters,
      Buffer.from(SEAL),
    ]);
    const stale = rows.then((all) => this.#staleOf(all));
    sealedOf.set(this.#change, stale);
    stale.catch(() => sealedOf.delete(this.#change)); // retried by the next caller
    return stale;
  }

  #staleOf(rows: readonly Row[]): Set<Key> {
    return new Set(rows.filter((row) => this.#isStale(row)).map((row) => this.#keyOf(row)));
  }

  #keyOf({ key }: Row): Key {
    return this.#storage.open(keyFromBytes(key));
  }

  #isStale(row: Row): boolean {
    const { wasHit, types, accepted } = row;
    if (wasHit) return true;
    this.#suppressor.begin(this.#keyOf(row));
    // A fingerprint belongs to one detector only, so checking it with all of them is correct.
    return types.some(
      ({ detector, complete }) =>
        ['', ...accepted].some((fingerprint) => this.#suppressor.accepts(detector, () => fingerprint)) ||
        (!complete && this.#detectorsWithValues.has(detector)),
    );
  }

  #read(upTo: Key): Promise<Row[]> {
    return many<Row>(
      this.#db,
      `${ROWS}
         and substring(key from 1 for 1024) >= substring($4::bytea from 1 for 1024)
         and substring(key from 1 for 1024) <= substring($5::bytea from 1 for 1024) and key > $4 and key <= $5`,
      [...this.#parameters, keyBytes(this.#after), keyBytes(upTo)],
    );
  }

  get #parameters(): unknown[] {
    return [this.#base, this.#change.gone.map(String), this.#fingerprints];
  }
}

/** Stale objects with sealed keys, by the changes that this process works with. */
const sealedOf = new WeakMap<SuppressionChange, Promise<ReadonlySet<Key>>>();

const ROWS = `select object.key, suppressed_by ?| $2::text[] as "wasHit",
              (select coalesce(json_agg(json_build_object('detector', each.key, 'complete', each.value::bigint <= case
                        when (select sum(value::numeric) from jsonb_each_text(counts)) <= ${MAX_FULL_TYPES}::bigint * max_findings_per_type
                        then max_findings_per_type else least(max_findings_per_type, ${FINDINGS_PER_TYPE_WHEN_FULL}) end)), '[]')
               from jsonb_each_text(counts) each) as types,
              array(select distinct fingerprint from finding
                    where object_id = object.id and fingerprint = any($3::text[])) as accepted
       from object_result as object join scan on scan.id = object.scan_id
       where scan_id = $1 and (object.tier is not null or suppressed_by <> '{}')`;

interface Row {
  readonly key: Buffer;
  readonly wasHit: boolean;
  /** `complete`: every finding of the type is kept. */
  readonly types: readonly { readonly detector: string; readonly complete: boolean }[];
  /** Fingerprints of the object's kept findings that a new suppression may match. */
  readonly accepted: readonly string[];
}
