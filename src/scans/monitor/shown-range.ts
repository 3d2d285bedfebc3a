/** Ranges of shards as people see them. The keys of a part are positions in one huge object. */
import { displayKey, type Key, keyFromBytes } from '../../base/key.ts';
import { many, type Queryable } from '../../db/database.ts';
import { objectOf, positionOf } from '../parts/part.ts';
import type { ShardKind } from '../shard-store.ts';

export interface KeyRange {
  readonly kind: ShardKind;
  readonly after: Buffer;
  readonly cursor: Buffer;
  readonly upTo: Buffer | null;
}

export interface ShownRange {
  readonly after: string;
  readonly cursor: string;
  /** Null: to the end of the source. */
  readonly upTo: string | null;
}

export type Shown<Row extends KeyRange> = Omit<Row, 'after' | 'cursor' | 'upTo'> & ShownRange;

export async function showRanges<Row extends KeyRange>(
  db: Queryable,
  rows: readonly Row[],
): Promise<Shown<Row>[]> {
  const parted = rows.filter((row) => row.kind === 'part').map((row) => objectOf(keyFromBytes(row.after)));
  const names = parted.length === 0 ? new Map<number, string>() : await namesOfParted(db, parted);
  return rows.map((row) => ({ ...row, ...(row.kind === 'part' ? shownPart(row, names) : shownRange(row)) }));
}

async function namesOfParted(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await many<{ id: number; key: Buffer }>(
    db,
    'select id, key from parted_object where id = any($1::bigint[])',
    [ids],
  );
  return new Map(rows.map(({ id, key }) => [id, displayKey(keyFromBytes(key))]));
}

function shownRange({ after, cursor, upTo }: KeyRange): ShownRange {
  const shown = (bytes: Buffer) => displayKey(keyFromBytes(bytes));
  return { after: shown(after), cursor: shown(cursor), upTo: upTo && shown(upTo) };
}

/** The object is forgotten when all its parts have ended. */
function shownPart({ after, cursor, upTo }: KeyRange, names: ReadonlyMap<number, string>): ShownRange {
  const [start, here] = [keyFromBytes(after), keyFromBytes(cursor)];
  const name = names.get(objectOf(start)) ?? 'a huge object';
  const byte = (key: Key) => `byte ${positionOf(key)}`;
  return {
    after: `${name}, ${byte(start)}`,
    cursor: `${name}, ${byte(here)}`,
    upTo: upTo && byte(keyFromBytes(upTo)),
  };
}
