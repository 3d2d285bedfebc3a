/** Adds suppressions: for one finding by its handle, or many at once from a file. */
import { SeineError } from '../../base/errors.ts';
import { keyFromBytes } from '../../base/key.ts';
import { type Database, maybeOne, type Queryable, type Tx } from '../../db/database.ts';
import { type FindingId, formatFindingId } from '../results/finding-id.ts';
import { type NewSuppression, type SuppressionMatch, suppressionMatchHash } from './suppression.ts';
import { findSame, insertSuppression, retireExpired } from './suppression-store.ts';

/** The owner, and the user who adds it. */
export interface Requester {
  readonly tenant: string;
  readonly user: string;
}

export interface SuppressResult {
  readonly id: number;
  /** False: an equal one exists and is kept. */
  readonly isNew: boolean;
}

export function suppress(db: Database, by: Requester, entry: NewSuppression): Promise<SuppressResult> {
  return db.tx((tx) => add(tx, by, entry));
}

/** Adds all of them or none. */
export function suppressAll(
  db: Database,
  by: Requester,
  entries: readonly NewSuppression[],
): Promise<SuppressResult[]> {
  return db.tx(async (tx) => {
    const added: SuppressResult[] = [];
    for (const entry of entries) added.push(await add(tx, by, entry));
    return added;
  });
}

async function add(tx: Tx, { tenant, user }: Requester, entry: NewSuppression): Promise<SuppressResult> {
  const hash = suppressionMatchHash(entry);
  await retireExpired(tx, tenant, hash, user);
  // Checked first, because an insert with a conflict uses up an id.
  const same = await findSame(tx, tenant, hash);
  if (same !== null) return { id: same, isNew: false };
  const id = await insertSuppression(tx, tenant, user, entry);
  return id === null ? { id: (await findSame(tx, tenant, hash))!, isNew: false } : { id, isNew: true };
}

/** The match for this finding: its value in all objects, or only in its object. */
export async function matchOf(
  db: Queryable,
  tenant: string,
  handle: FindingId,
  { thisObjectOnly }: { readonly thisObjectOnly: boolean },
): Promise<SuppressionMatch & { readonly masked: string; readonly path: null }> {
  const found = await maybeOne<{
    detector: string;
    fingerprint: string;
    masked: string;
    source: string;
    key: Buffer;
  }>(
    db,
    `select detector, fingerprint, masked, source, key
     from finding join object_result as object on object.id = finding.object_id join scan on scan.id = object.scan_id
     where scan.tenant = $1 and scan.id = $2 and object.id = $3 and finding.n = $4`,
    [tenant, handle.scan, handle.object, handle.n],
  );
  if (found === null) {
    throw new SeineError('not-found', `No finding ${formatFindingId(handle)}.`, {
      hint: `List the findings of the scan: seine findings ${handle.scan}. Findings of deleted scans cannot be suppressed.`,
    });
  }
  const { detector, fingerprint, masked } = found;
  const restriction = thisObjectOnly
    ? { source: found.source, object: keyFromBytes(found.key) }
    : { source: null, object: null };
  return { detector, fingerprint, masked, path: null, ...restriction };
}
