/** Ranges of shards in display form. The keys of a segment are positions in one huge object. */
import { displayKey, type Key, keyFromBytes } from '../../base/key.ts';
import { many, type Queryable } from '../../db/database.ts';
import { objectOf, positionOf } from '../segments/segment.ts';
import type { ShardKind } from '../shard/shard-store.ts';

export interface KeyRange {
  readonly kind: ShardKind;
  readonly after: Buffer;
  readonly cursor: Buffer;
  readonly upTo: Buffer | null;
}

export interface FormattedRange {
  readonly after: string;
  readonly cursor: string;
  /** Null: up to the end of the source. */
  readonly upTo: string | null;
}

export type WithFormattedRange<Row extends KeyRange> = Omit<Row, 'after' | 'cursor' | 'upTo'> &
  FormattedRange;

export async function formatRanges<Row extends KeyRange>(
  db: Queryable,
  rows: readonly Row[],
): Promise<WithFormattedRange<Row>[]> {
  const parted = rows.filter((row) => row.kind === 'part').map((row) => objectOf(keyFromBytes(row.after)));
  const names = parted.length === 0 ? new Map<number, string>() : await readSegmentedNames(db, parted);
  return rows.map((row) => ({
    ...row,
    ...(row.kind === 'part' ? formatSegmentRange(row, names) : formatKeyRange(row)),
  }));
}

async function readSegmentedNames(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await many<{ id: number; key: Buffer }>(
    db,
    'select id, key from segmented_object where id = any($1::bigint[])',
    [ids],
  );
  return new Map(rows.map(({ id, key }) => [id, displayKey(keyFromBytes(key))]));
}

function formatKeyRange({ after, cursor, upTo }: KeyRange): FormattedRange {
  const shown = (bytes: Buffer) => displayKey(keyFromBytes(bytes));
  return { after: shown(after), cursor: shown(cursor), upTo: upTo && shown(upTo) };
}

/** The object's row is deleted when all its segments have ended. */
function formatSegmentRange(
  { after, cursor, upTo }: KeyRange,
  names: ReadonlyMap<number, string>,
): FormattedRange {
  const [start, here] = [keyFromBytes(after), keyFromBytes(cursor)];
  const name = names.get(objectOf(start)) ?? 'a huge object';
  const byte = (key: Key) => `byte ${positionOf(key)}`;
  return {
    after: `${name}, ${byte(start)}`,
    cursor: `${name}, ${byte(here)}`,
    upTo: upTo && byte(keyFromBytes(upTo)),
  };
}
