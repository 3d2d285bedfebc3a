/** SQL statements for partitionings, one function each. The protocol is described in partitioning.ts. */
import { type Key, keyFromBytes } from '../../base/key.ts';
import { many, maybeOne, type Queryable, type Tx } from '../../db/database.ts';
import { notifyRunners } from '../../events/event-notifier.ts';
import { type Offset, offsetFromKey } from '../../events/offset.ts';

export type Mode = 'slots' | 'static';

export interface Partitioning {
  readonly workflow: string;
  /** Incremented with every change. */
  readonly epoch: number;
  readonly mode: Mode;
  readonly total: number;
  readonly groupId: number;
  /** One for each partition, in order. */
  readonly readers: readonly Reader[];
}

export interface Reader {
  readonly name: string;
  readonly part: number;
  readonly lease: number;
}

/** Partitioning and readers by one statement, so that both are of the same epoch. */
export function readPartitioning(db: Queryable, workflow: string): Promise<Partitioning | null> {
  return maybeOne<Partitioning>(
    db,
    `select layout.workflow, layout.epoch, layout.mode, layout.total, layout.group_id as "groupId",
            json_agg(json_build_object('name', reader.name, 'part', reader.part, 'lease', reader.lease_id)
                     order by reader.part) as readers
     from layout join reader on reader.workflow = layout.workflow and reader.retired_at is null
     where layout.workflow = $1
     group by layout.workflow`,
    [workflow],
  );
}

/** Serialises creation, when there is no row to lock yet. */
export async function lockPartitioningName(tx: Tx, workflow: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('layout ' || $1, 0))`, [workflow]);
}

/** Prevents changes until the transaction ends. False when there is none. */
export async function lockPartitioning(tx: Tx, workflow: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from layout where workflow = $1 for update', [workflow]);
  return rowCount === 1;
}

/** Inserts it, or replaces the previous one. */
export async function writePartitioning(tx: Tx, layout: Omit<Partitioning, 'readers'>): Promise<void> {
  await tx.query(
    `insert into layout (workflow, epoch, mode, total, group_id) values ($1, $2, $3, $4, $5)
     on conflict (workflow) do update
     set epoch = excluded.epoch, mode = excluded.mode, total = excluded.total, group_id = excluded.group_id`,
    [layout.workflow, layout.epoch, layout.mode, layout.total, layout.groupId],
  );
}

export async function addReaders(tx: Tx, layout: Partitioning): Promise<void> {
  await tx.query(
    `insert into reader (name, epoch, workflow, part, total, lease_id)
     select r.name, $4, $5, r.part, $6, r.lease
     from unnest($1::text[], $2::integer[], $3::bigint[]) as r(name, part, lease)`,
    [
      layout.readers.map(({ name }) => name),
      layout.readers.map(({ part }) => part),
      layout.readers.map(({ lease }) => lease),
      layout.epoch,
      layout.workflow,
      layout.total,
    ],
  );
}

/** They stay as a record; their offsets are not used any more. */
export async function retireReaders(tx: Tx, workflow: string): Promise<void> {
  await tx.query('update reader set retired_at = clock() where workflow = $1 and retired_at is null', [
    workflow,
  ]);
}

/** The offsets of the readers of each workflow, locked until the transaction ends. */
export async function lockOffsets(tx: Tx, workflows: readonly string[]): Promise<Map<string, Key[]>> {
  const rows = await many<{ workflow: string; cursor: Buffer }>(
    tx,
    `select reader.workflow, lease.cursor
     from reader join range_lease as lease on lease.id = reader.lease_id
     where reader.workflow = any($1::text[]) and reader.retired_at is null
     order by lease.id -- as everybody who locks many
     for no key update of lease`,
    [workflows],
  );
  const offsets = new Map<string, Key[]>(workflows.map((workflow) => [workflow, []]));
  for (const { workflow, cursor } of rows) offsets.get(workflow)!.push(keyFromBytes(cursor));
  return offsets;
}

/** Ordered by name. */
export async function listPartitionedWorkflows(db: Queryable): Promise<string[]> {
  const rows = await many<{ workflow: string }>(db, 'select workflow from layout order by workflow');
  return rows.map(({ workflow }) => workflow);
}

export interface ActiveReader extends Reader {
  readonly offset: Offset;
  /** Null: not held, or the lease has expired. */
  readonly holder: string | null;
  /** Of the holder, if it is registered. */
  readonly host: string | null;
  readonly pid: number | null;
  readonly expiresAt: Date | null;
}

/** The active readers with their offsets and holders, ordered by partition. */
export async function readersOf(db: Queryable, workflow: string): Promise<ActiveReader[]> {
  const rows = await many<Omit<ActiveReader, 'offset'> & { cursor: Buffer }>(
    db,
    `select reader.name, reader.part, reader.lease_id as lease, lease.cursor, held.holder, split_part(worker.host, '/', 1) as host,
            worker.pid, held.expires_at as "expiresAt"
     from reader join range_lease as lease on lease.id = reader.lease_id
     left join range_lease held on held.id = lease.id and held.state = 'held' and held.expires_at >= clock()
     left join worker on worker.id = held.holder
     where reader.workflow = $1 and reader.retired_at is null
     order by reader.part`,
    [workflow],
  );
  return rows.map(({ cursor, ...reader }) => ({ ...reader, offset: offsetFromKey(keyFromBytes(cursor)) }));
}

/** The offsets of those of these readers that exist. */
export async function offsetsOf(db: Queryable, names: readonly string[]): Promise<Map<string, Offset>> {
  const rows = await many<{ name: string; cursor: Buffer }>(
    db,
    `select reader.name, lease.cursor
     from reader join range_lease as lease on lease.id = reader.lease_id
     where reader.name = any($1::text[]) and reader.retired_at is null`,
    [names],
  );
  return new Map(rows.map(({ name, cursor }) => [name, offsetFromKey(keyFromBytes(cursor))]));
}

/** The offset up to which all readers have read. Null when the workflow has no readers yet. */
export async function minReaderOffset(db: Queryable, workflow: string): Promise<Offset | null> {
  const row = await maybeOne<{ cursor: Buffer }>(
    db,
    `select lease.cursor
     from reader join range_lease as lease on lease.id = reader.lease_id
     where reader.workflow = $1 and reader.retired_at is null
     order by lease.cursor
     limit 1`,
    [workflow],
  );
  return row && offsetFromKey(keyFromBytes(row.cursor));
}

/** Only a hint, as all notifications: a reader that misses it finds its lease revoked when it renews it. */
export async function notifyPartitioningChanged(tx: Tx, workflow: string): Promise<void> {
  await notifyRunners(tx, workflow, 'layout');
}
