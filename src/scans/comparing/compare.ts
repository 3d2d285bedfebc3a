/** Compares two scans, or a baseline with a scan. The result can be read while `fn` runs. */
import type { Key } from '../../base/key.ts';
import { KeyCipher, type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Database, Tx } from '../../db/database.ts';
import { InventoryHash } from '../inventory/inventory.ts';
import { Inventory } from '../inventory/inventory-store.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import { formatFindingId } from '../results/finding-id.ts';
import { acceptedBy, snapshotDifference } from '../suppressions/suppression-store.ts';
import { Suppressor } from '../suppressions/suppressor.ts';
import { type CauseContext, causeOf } from './cause.ts';
import type { Difference, FindingLocation, Summary } from './difference.ts';
import { pairSides, readSummary } from './pair-store.ts';
import { type ChangedRow, changedRows, type RowLocation } from './row-store.ts';
import { createSides, fillFromScan } from './side-store.ts';

export interface Comparison {
  readonly summary: Summary;
  /** In order of keys. May be called several times. */
  readonly differences: () => AsyncGenerator<Difference>;
}

export function compareScans<T>(
  db: Database,
  secret: Uint8Array,
  before: ScanRow,
  after: ScanRow,
  fn: (comparison: Comparison) => Promise<T>,
): Promise<T> {
  return db.tx(async (tx) => {
    await createSides(tx);
    await fillFromScan(tx, 'before', before.id);
    await fillFromScan(tx, 'after', after.id);
    await pairSides(tx);
    return fn({
      summary: await readSummary(tx),
      differences: async function* () {
        const context = await openCauseContext(tx, secret, before, after);
        for await (const row of changedRows(tx))
          yield toDifference(row, await causeOf(row, context), { before: before.id, after: after.id });
      },
    });
  });
}

/** `fill` writes the first side. Causes are not determined: a baseline has no data for them. */
export function compareWith<T>(
  db: Database,
  fill: (tx: Tx) => Promise<void>,
  after: ScanRow,
  fn: (comparison: Comparison, tx: Tx) => Promise<T>,
): Promise<T> {
  return db.tx(async (tx) => {
    await createSides(tx);
    await fill(tx);
    await fillFromScan(tx, 'after', after.id);
    await pairSides(tx);
    const differences = async function* () {
      for await (const row of changedRows(tx))
        yield toDifference(row, null, { before: null, after: after.id });
    };
    return fn({ summary: await readSummary(tx), differences }, tx);
  });
}

function toDifference(
  row: ChangedRow,
  cause: Difference['cause'],
  scans: { readonly before: number | null; readonly after: number },
): Difference {
  const { change, detector, fingerprint, masked, confidence, count, key } = row;
  const counted = row.before === null && row.after === null;
  const somewhere: FindingLocation = { key, part: null, line: null, handle: null };
  return {
    change,
    cause,
    detector,
    fingerprint,
    masked,
    confidence,
    count,
    before: row.before
      ? toLocation(row.before, scans.before)
      : counted && change === 'gone'
        ? somewhere
        : null,
    after: row.after ? toLocation(row.after, scans.after) : counted && change === 'new' ? somewhere : null,
  };
}

function toLocation({ key, object, n, part, line }: RowLocation, scan: number | null): FindingLocation {
  return { key, part, line, handle: scan === null ? null : formatFindingId({ scan, object, n }) };
}

async function openCauseContext(
  tx: Tx,
  secret: Uint8Array,
  before: ScanRow,
  after: ScanRow,
): Promise<CauseContext> {
  const { gone, added } = await snapshotDifference(tx, before.id, after.id);
  const seal = new KeyCipher(secret);
  const storage: KeyCodec = { ...PLAIN_KEYS, open: (stored) => seal.open(stored) };
  return {
    sameRules: before.inventoryKey === after.inventoryKey,
    onlyBefore: await suppressorOf(tx, before.id, gone, storage),
    onlyAfter: await suppressorOf(tx, after.id, added, storage),
    unchanged: identities(tx, secret, before.id, after.id),
    open: storage.open,
    startedAt: before.createdAt.getTime() / 1000,
  };
}

async function suppressorOf(
  tx: Tx,
  scan: number,
  ids: readonly number[],
  storage: KeyCodec,
): Promise<Suppressor> {
  const wantedIds = new Set(ids);
  return new Suppressor(
    wantedIds.size === 0 ? [] : (await acceptedBy(tx, scan)).filter(({ id }) => wantedIds.has(id)),
    storage,
  );
}

function identities(tx: Tx, secret: Uint8Array, before: number, after: number): CauseContext['unchanged'] {
  const [was, now] = [before, after].map(
    (scan) => new Inventory(tx, scan, new InventoryHash(secret), '' as Key),
  );
  return async (key) => {
    await was!.prepare(key);
    await now!.prepare(key);
    const [one, other] = [was!.versionTagOf(key), now!.versionTagOf(key)];
    return one === null || other === null ? null : one === other;
  };
}
