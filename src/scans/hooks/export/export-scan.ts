/**
 * Exports the results of a scan as files: `scan-42/round-0/findings-00000.parquet`, the same for objects,
 * and `manifest.json` last. If the manifest exists, all the files it lists are complete. The same scan
 * yields the same bytes under the same names, so an interrupted export is repeated from the start and
 * leaves no duplicates.
 */
import { createHash } from 'node:crypto';
import type { Queryable } from '../../../db/database.ts';
import type { ObjectWriter } from '../../../sources/writer/writer.ts';
import type { ScanRow } from '../../lifecycle/scan-store.ts';
import { SCHEMA_VERSION } from '../../results/finding-json.ts';
import { findingsOf, objectsOf } from '../../results/finding-store.ts';
import { readLedger } from '../../results/report-store.ts';
import type { ExportFormat } from '../hook.ts';
import { type FileEntry, writeExportFiles } from './export-files.ts';
import { FINDINGS, findingRow, OBJECTS, objectRow, type Row } from './table.ts';

const MAX_ROWS_PER_FILE = 5_000_000;

export interface ExportOptions {
  readonly writer: ObjectWriter;
  readonly format: ExportFormat;
  readonly round: number;
  readonly signal: AbortSignal;
  /** Whether the scan is still in the round that is exported. */
  readonly isCurrent: () => Promise<boolean>;
  /** Maximum number of rows in one file; default 5,000,000. */
  readonly partRows?: number;
}

export interface ExportResult {
  readonly folder: string;
  readonly files: readonly FileEntry[];
  readonly findings: { readonly rows: number; readonly digest: string };
}

/** Returns null when the scan was reopened meanwhile: then no manifest is written. */
export async function exportScan(
  db: Queryable,
  scan: ScanRow,
  options: ExportOptions,
): Promise<ExportResult | null> {
  const { writer, round, signal } = options;
  const folder = `scan-${scan.id}/round-${round}`;
  await writer.sweep(folder, signal);
  const parts = { ...options, folder, partRows: options.partRows ?? MAX_ROWS_PER_FILE };
  const digest = createHash('sha256');
  const findings = await writeExportFiles(FINDINGS, findingRows(db, scan, digest), parts);
  const objects = await writeExportFiles(OBJECTS, objectRows(db, scan), parts);
  const exported = {
    folder,
    files: [...findings, ...objects],
    findings: { rows: rowsOf(findings), digest: digest.digest('hex') },
  };
  if (!(await options.isCurrent())) return null;
  const manifest = await manifestOf(db, scan, options, exported);
  await writer.put(
    `${folder}/manifest.json`,
    [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    signal,
  );
  return exported;
}

/** The digest is that of `findingsDigest`: it covers the findings, without the scan and its source. */
async function* findingRows(
  db: Queryable,
  scan: ScanRow,
  digest: { update(text: string): unknown },
): AsyncGenerator<Row> {
  for await (const { finding } of findingsOf(db, scan)) {
    const { scan: _, source: __, handle: ___, ...same } = finding;
    digest.update(`${JSON.stringify(same)}\n`);
    yield findingRow(finding);
  }
}

async function* objectRows(db: Queryable, scan: ScanRow): AsyncGenerator<Row> {
  for await (const objects of objectsOf(db, scan.id)) {
    for (const object of objects) yield objectRow(scan, object);
  }
}

/** Contains no time of the export: the same scan yields the same manifest. */
async function manifestOf(
  db: Queryable,
  scan: ScanRow,
  { format, round }: ExportOptions,
  { files, findings }: ExportResult,
): Promise<object> {
  return {
    schemaVersion: SCHEMA_VERSION,
    scan: String(scan.id),
    round,
    source: scan.source,
    status: scan.status,
    error: scan.error,
    rules: scan.rules,
    createdAt: scan.createdAt.toISOString(),
    finishedAt: scan.finishedAt?.toISOString() ?? null,
    format,
    findings,
    objects: { rows: rowsOf(files.filter((file) => file.table === 'objects')) },
    ledger: await readLedger(db, scan.id),
    files,
  };
}

function rowsOf(files: readonly FileEntry[]): number {
  return files.reduce((sum, file) => sum + file.rows, 0);
}
