/** Compares two scans, or a baseline with a scan. What comes out can be read while `work` runs. */
import type { Key } from '../../base/key.ts';
import { KeySeal, type KeyStorage, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Database, Tx } from '../../db/database.ts';
import { writeHandle } from '../finding-handle.ts';
import { InventoryHash } from '../inventory.ts';
import { Inventory } from '../inventory-store.ts';
import type { ScanRow } from '../scan-store.ts';
import { acceptedBy, snapshotDifference } from '../suppressions/suppression-store.ts';
import { Suppressor } from '../suppressions/suppressor.ts';
import { type CauseTools, causeOf } from './cause.ts';
import type { Difference, Place, Summary } from './difference.ts';
import { pairSides, readSummary } from './pair-store.ts';
import { type ChangedRow, changedRows, type RowPlace } from './row-store.ts';
import { createSides, fillFromScan } from './side-store.ts';

export interface Comparison {
  readonly summary: Summary;
  /** In order of keys. May be asked for several times. */
  readonly differences: () => AsyncGenerator<Difference>;
}

export function compareScans<T>(
  db: Database,
  secret: Uint8Array,
  before: ScanRow,
  after: ScanRow,
  work: (comparison: Comparison) => Promise<T>,
): Promise<T> {
  return db.tx(async (tx) => {
    await createSides(tx);
    await fillFromScan(tx, 'before', before.id);
    await fillFromScan(tx, 'after', after.id);
    await pairSides(tx);
    return work({
      summary: await readSummary(tx),
      differences: async function* () {
        const tools = await causeTools(tx, secret, before, after);
        for await (const row of changedRows(tx))
          yield difference(row, await causeOf(row, tools), { before: before.id, after: after.id });
      },
    });
  });
}

/** `fill` puts the first side into place. Why something is new is not asked: whatever it is, it is not in the baseline. */
export function compareWith<T>(
  db: Database,
  fill: (tx: Tx) => Promise<void>,
  after: ScanRow,
  work: (comparison: Comparison, tx: Tx) => Promise<T>,
): Promise<T> {
  return db.tx(async (tx) => {
    await createSides(tx);
    await fill(tx);
    await fillFromScan(tx, 'after', after.id);
    await pairSides(tx);
    const differences = async function* () {
      for await (const row of changedRows(tx)) yield difference(row, null, { before: null, after: after.id });
    };
    return work({ summary: await readSummary(tx), differences }, tx);
  });
}

function difference(
  row: ChangedRow,
  cause: Difference['cause'],
  scans: { readonly before: number | null; readonly after: number },
): Difference {
  const { change, detector, fingerprint, masked, confidence, count, key } = row;
  const counted = row.before === null && row.after === null;
  const somewhere: Place = { key, part: null, line: null, handle: null };
  return {
    change,
    cause,
    detector,
    fingerprint,
    masked,
    confidence,
    count,
    before: row.before ? place(row.before, scans.before) : counted && change === 'gone' ? somewhere : null,
    after: row.after ? place(row.after, scans.after) : counted && change === 'new' ? somewhere : null,
  };
}

function place({ key, object, n, part, line }: RowPlace, scan: number | null): Place {
  return { key, part, line, handle: scan === null ? null : writeHandle({ scan, object, n }) };
}

async function causeTools(tx: Tx, secret: Uint8Array, before: ScanRow, after: ScanRow): Promise<CauseTools> {
  const { gone, added } = await snapshotDifference(tx, before.id, after.id);
  const seal = new KeySeal(secret);
  const storage: KeyStorage = { ...PLAIN_KEYS, open: (stored) => seal.open(stored) };
  return {
    sameRules: before.inventoryKey === after.inventoryKey,
    onlyBefore: await suppressorOf(tx, before.id, gone, storage),
    onlyAfter: await suppressorOf(tx, after.id, added, storage),
    unchanged: identities(tx, secret, before.id, after.id),
    open: storage.open,
    begun: before.createdAt.getTime() / 1000,
  };
}

async function suppressorOf(
  tx: Tx,
  scan: number,
  ids: readonly number[],
  storage: KeyStorage,
): Promise<Suppressor> {
  const wanted = new Set(ids);
  return new Suppressor(
    wanted.size === 0 ? [] : (await acceptedBy(tx, scan)).filter(({ id }) => wanted.has(id)),
    storage,
  );
}

function identities(tx: Tx, secret: Uint8Array, before: number, after: number): CauseTools['unchanged'] {
  const [was, now] = [before, after].map(
    (scan) => new Inventory(tx, scan, new InventoryHash(secret), '' as Key),
  );
  return async (key) => {
    await was!.prepare(key);
    await now!.prepare(key);
    const [one, other] = [was!.identityOf(key), now!.identityOf(key)];
    return one === null || other === null ? null : one === other;
  };
}
