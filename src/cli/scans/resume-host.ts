import type { App } from '../../app.ts';
import { readLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';

/** Where a scan goes on: here, or, null, where it began; a folder of the same name may hold other files. Said if it makes a difference. */
export async function resumeHostAffinity({ db }: App, scan: ScanRow, here: boolean): Promise<string | null> {
  const { place } = (await readLeaseGroup(db, scan.id))!;
  if (place !== null && place !== hostAffinity()) {
    const machine = place.split('/')[0];
    process.stderr.write(
      here
        ? `Scan ${scan.id} began on ${machine} and goes on here: the rest of ${scan.target} is read on this machine.\n`
        : `Scan ${scan.id} reads ${scan.target} on ${machine} and goes on there. To read the rest on this machine: --here\n`,
    );
  }
  return here ? hostAffinity() : null;
}
