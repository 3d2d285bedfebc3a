/** `seine coverage`: the ledger of a scan, its sums, and a list of the objects not fully read. */
import type { App } from '../../app.ts';
import { displayKey } from '../../base/key.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import { keyJson } from '../../scans/results/finding-json.ts';
import { objectsOf } from '../../scans/results/finding-store.ts';
import type { LedgerLine } from '../../scans/results/report.ts';
import { readLedger } from '../../scans/results/report-store.ts';
import { coverageSums } from '../../scans/shard/shard-store.ts';
import type { CommonFlags } from '../options.ts';
import { coverageLine, coverageOf, isGap } from '../output/coverage.ts';
import { groupDigits, humanBytes } from '../output/quantities.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/visible.ts';
import { standardOutput } from '../standard-output.ts';
import { suggestCommand } from '../suggest-command.ts';
import { chooseScan, withApp } from '../with-app.ts';

export async function showCoverage(
  id: string | undefined,
  flags: CommonFlags & { readonly list?: boolean },
): Promise<void> {
  await withApp(flags, async (app) => {
    const scan = await chooseScan(app, id, flags);
    if (flags.list) return listGaps(app, scan, flags.json === true);
    const ledger = await readLedger(app.db, scan.id);
    const sums = await coverageSums(app.db, scan.id);
    const coverage = { scan: scan.id, status: scan.status, ...sums, ledger };
    process.stdout.write(
      flags.json ? `${JSON.stringify(coverage, null, 2)}\n` : describe(scan, ledger, sums, flags),
    );
  });
}

function describe(
  scan: ScanRow,
  ledger: readonly LedgerLine[],
  { listed, ledgered }: { listed: number; ledgered: number },
  flags: CommonFlags,
): string {
  const rows = ledger.map((line) => [
    line.outcome,
    groupDigits(line.objects),
    humanBytes(line.bytes),
    line.reason ?? '',
  ]);
  const agree = listed === ledgered;
  return [
    `Scan ${scan.id} of ${visible(scan.source)} (${scan.status})\n`,
    `${coverageLine(coverageOf(ledger))}\n\n`,
    table(['left', 'right', 'right', 'left'], [['OUTCOME', 'OBJECTS', 'BYTES', 'REASON'], ...rows]),
    `\n${groupDigits(listed)} listed, ${groupDigits(ledgered)} accounted for${agree ? '' : ': THEY DIFFER'}\n`,
    ledger.some((line) => isGap(line.outcome))
      ? `List them: ${suggestCommand(['coverage', String(scan.id), '--list'], flags)}\n`
      : '',
  ].join('');
}

async function listGaps(app: App, scan: ScanRow, json: boolean): Promise<void> {
  for await (const objects of objectsOf(app.db, scan.id)) {
    for (const { key, outcome, reason, reasonCode, size } of objects) {
      if (standardOutput.failed) return;
      if (!isGap(outcome)) continue;
      process.stdout.write(
        json
          ? `${JSON.stringify({ ...keyJson(key), outcome, reason, reasonCode, size })}\n`
          : `${outcome}  ${displayKey(key)}  (${visible(reason ?? '')})\n`,
      );
    }
  }
}
