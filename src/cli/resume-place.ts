import type { App } from '../app.ts';
import { readWork } from '../engine/leases/work-store.ts';
import { placeOf } from '../engine/workers/worker.ts';
import type { ScanRow } from '../scans/scan-store.ts';

/** Where a scan goes on: here, or, null, where it began; a folder of the same name may hold other files. Said if it makes a difference. */
export async function resumePlace({ db }: App, scan: ScanRow, here: boolean): Promise<string | null> {
  const { place } = (await readWork(db, scan.id))!;
  if (place !== null && place !== placeOf()) {
    const machine = place.split('/')[0];
    process.stderr.write(
      here
        ? `Scan ${scan.id} began on ${machine} and goes on here: the rest of ${scan.target} is read on this machine.\n`
        : `Scan ${scan.id} reads ${scan.target} on ${machine} and goes on there. To read the rest on this machine: --here\n`,
    );
  }
  return here ? placeOf() : null;
}
