/**
 * Which unchanged objects must be read again, because other suppressions are in force than in the scan that saw them last.
 *
 * An object that was clean then is clean now. One with a row may differ if a suppression that is gone accepted something in it, or
 * if a new one may accept something: a kept finding tells, and where more were found than are kept, the object is read again
 * to be sure. So a new suppression costs the objects that it is about, not the bucket.
 */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import { many, type Queryable } from '../../db/database.ts';
import type { Accepted } from './suppression.ts';
import { acceptedBy, snapshotDifference } from './suppression-store.ts';
import { Suppressor } from './suppressor.ts';

export interface SuppressionChange {
  readonly gone: readonly number[];
  readonly added: readonly Accepted[];
}

/** Null: the same suppressions, or nothing to build on. */
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
  /** Detectors of which single values are accepted now. */
  readonly #valued: ReadonlySet<string>;
  #after: Key;
  #keys = new Set<Key>();

  constructor(db: Queryable, base: number, change: SuppressionChange, after: Key) {
    this.#db = db;
    this.#base = base;
    this.#change = change;
    this.#suppressor = new Suppressor(change.added);
    const valued = change.added.filter((entry) => entry.fingerprint !== null);
    this.#fingerprints = valued.map((entry) => entry.fingerprint!);
    this.#valued = new Set(valued.map((entry) => entry.detector));
    this.#after = after;
  }

  /** Loads what is needed to answer for keys up to this one. */
  async prepare(upTo: Key): Promise<void> {
    if (upTo <= this.#after) return;
    const rows = await this.#read(upTo);
    this.#keys = new Set(rows.filter((row) => this.#isStale(row)).map((row) => keyFromBytes(row.key)));
    this.#after = upTo;
  }

  has(key: Key): boolean {
    return this.#keys.has(key);
  }

  #isStale({ key, wasHit, types, accepted }: Row): boolean {
    if (wasHit) return true;
    this.#suppressor.begin(keyFromBytes(key));
    // A fingerprint tells only of its own detector, so asking with all of them is no mistake.
    return types.some(
      ({ detector, complete }) =>
        ['', ...accepted].some((fingerprint) => this.#suppressor.accepts(detector, () => fingerprint)) ||
        (!complete && this.#valued.has(detector)),
    );
  }

  #read(upTo: Key): Promise<Row[]> {
    return many<Row>(
      this.#db,
      `select object.key, suppressed_by ?| $4::text[] as "wasHit",
              (select coalesce(json_agg(json_build_object('detector', each.key, 'complete', each.value::bigint <= keep_each)), '[]')
               from jsonb_each_text(counts) each) as types,
              array(select distinct fingerprint from finding
                    where object_id = object.id and fingerprint = any($5::text[])) as accepted
       from object join scan on scan.id = object.scan_id
       where scan_id = $1 and substring(key from 1 for 1024) >= substring($2::bytea from 1 for 1024)
         and substring(key from 1 for 1024) <= substring($3::bytea from 1 for 1024) and key > $2 and key <= $3
         and (object.tier is not null or suppressed_by <> '{}')`,
      [this.#base, keyBytes(this.#after), keyBytes(upTo), this.#change.gone.map(String), this.#fingerprints],
    );
  }
}

interface Row {
  readonly key: Buffer;
  readonly wasHit: boolean;
  /** `complete`: every finding of the type is kept. */
  readonly types: readonly { readonly detector: string; readonly complete: boolean }[];
  /** Of the object's kept findings: those whose value a new suppression accepts somewhere. */
  readonly accepted: readonly string[];
}
