import type { App } from '../../app.ts';
import { readLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';

/** Host affinity of the resumed scan: this host, or null to keep the one it was started on, because a folder of the same name may hold other files. */
export async function resumeHostAffinity(
  { db }: App,
  scan: ScanRow,
  onThisHost: boolean,
): Promise<string | null> {
  const { hostAffinity: place } = (await readLeaseGroup(db, scan.id))!;
  if (place !== null && place !== hostAffinity()) {
    const machine = place.split('/')[0];
    process.stderr.write(
      onThisHost
        ? `Scan ${scan.id} was started on ${machine}; the rest of ${scan.target} is read on this host.\n`
        : `Scan ${scan.id} continues on ${machine}, where it reads ${scan.target}. To read the rest on this host, pass --on-this-host.\n`,
    );
  }
  return onThisHost ? hostAffinity() : null;
}
