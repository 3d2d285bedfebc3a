/** What happens after a scan has ended: one job each, with retries of its own. A hook may run again after a crash. */
import type { Database } from '../../db/database.ts';
import { pruneInventories } from '../inventory-store.ts';

export const hooks: Readonly<Record<string, (db: Database, scan: number) => Promise<void>>> = {
  'prune inventories': pruneInventories,
};
