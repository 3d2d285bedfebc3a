/** Creates a baseline from a scan that has ended. */
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import { fillBaseline, insertBaseline, removeBaseline } from './baseline-store.ts';

export interface BaselineRequest {
  readonly name: string;
  readonly by: string;
  /** Replace an existing baseline of the same name. */
  readonly replace: boolean;
}

export function createBaseline(db: Database, scan: ScanRow, request: BaselineRequest): Promise<number> {
  if (scan.finishedAt === null) {
    throw new SeineError('conflict', `Scan ${scan.id} has not ended (${scan.status}).`, {
      hint: 'A baseline needs a completed scan.',
    });
  }
  if (Buffer.byteLength(request.name) > 1000)
    throw new SeineError('usage', 'The name of a baseline has at most 1000 bytes.', {
      hint: 'Choose a shorter name.',
    });
  return db.tx(async (tx) => {
    if (request.replace) await removeBaseline(tx, scan.tenant, request.name);
    const id = await insertBaseline(tx, scan.id, request);
    if (id === null) {
      throw new SeineError('conflict', `Baseline ${request.name} already exists.`, {
        hint: 'Pass --replace to replace it, or choose another name.',
      });
    }
    await fillBaseline(tx, id);
    return id;
  });
}
