import type { Database } from '../../../db/database.ts';
import { openWriter } from '../../../sources/writer/open-writer.ts';
import type { ScanRow } from '../../lifecycle/scan-store.ts';
import type { ExportSettings, HookResult } from '../hook.ts';
import type { HookContext } from '../hook-context.ts';
import { type HookAttempt, readHookAttempt } from '../hook-store.ts';
import { exportScan } from './export-scan.ts';

export async function runExport(
  db: Database,
  context: HookContext,
  hook: HookAttempt,
  { target, format }: ExportSettings,
  scan: ScanRow,
): Promise<HookResult> {
  const writer = openWriter(target, context.access(target));
  const isCurrent = async () => (await readHookAttempt(db, hook))?.scanRound === hook.round;
  const options = { writer, format, round: hook.round, signal: context.signal, isCurrent };
  const exported = await exportScan(db, scan, options);
  if (exported === null) return { end: 'skipped', reason: 'scan-reopened' };
  const { folder, files, findings } = exported;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { end: 'done', result: { target, folder, files: files.length, bytes, findings: findings.rows } };
}
