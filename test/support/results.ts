/** Results of scans, as reported by the program itself. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { one } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/pool.ts';
import type { Ended, Seine, SeineOptions } from './seine.ts';

export interface FindingLine {
  readonly scan: string;
  readonly key: string;
  readonly keyHex?: string;
  readonly detector: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly masked: string;
  readonly confidence: number;
  readonly [more: string]: unknown;
}

export interface ReportJson {
  readonly scan: { readonly id: string; readonly status: string };
  readonly findings: number;
  readonly coverage: {
    readonly objects: number;
    readonly outcomes: Readonly<Record<string, { readonly objects: number; readonly bytes: number }>>;
    readonly reasons: readonly {
      readonly outcome: string;
      readonly reason: string;
      readonly objects: number;
    }[];
  };
  readonly objects: readonly { readonly key: string; readonly counts: Readonly<Record<string, number>> }[];
}

/** A scan that must end well: its report. */
export async function scanned(
  seine: Seine,
  args: readonly string[],
  options?: SeineOptions,
): Promise<ReportJson> {
  return reportOf(await seine.run(['scan', ...args, '--json', '-q'], options)); // on a slow machine progress would be printed
}

export function reportOf(ended: Ended): ReportJson {
  const said = ended.stderr.split('\n').filter((line) => !isProgress(line));
  expect({ code: ended.code, said: said.join('\n') }).toEqual({ code: 0, said: '' });
  return JSON.parse(ended.stdout) as ReportJson;
}

/** On a slow machine a scan lasts long enough to print progress. */
export function isProgress(line: string): boolean {
  return /^seine: (starting|listing|scanning|finishing)\b/.test(line);
}

/** Number of objects by outcome; outcomes without objects are omitted. */
export function outcomesOf(report: ReportJson): Record<string, number> {
  const counts = Object.entries(report.coverage.outcomes).map(
    ([name, { objects }]) => [name, objects] as const,
  );
  return Object.fromEntries(counts.filter(([, objects]) => objects > 0));
}

export async function findingsOf(
  seine: Seine,
  scan: string,
  more: readonly string[] = [],
): Promise<FindingLine[]> {
  const { code, stdout, stderr } = await seine.run(['findings', scan, '--json', ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return parseLines<FindingLine>(stdout);
}

export function parseLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** SHA-256 of the sorted findings, without what names the scan: equal for equal results. */
export async function digestOf(seine: Seine, scan: string): Promise<string> {
  const lines = (await findingsOf(seine, scan)).map(({ scan: _, handle: __, ...same }) =>
    JSON.stringify(same),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

export interface ScanLine {
  readonly id: number;
  readonly status: string;
}

/** Newest first. */
export async function scansOf(seine: Seine): Promise<ScanLine[]> {
  return parseLines<ScanLine>((await seine.run(['scans', '--json'])).stdout);
}

/** Objects listed and in the ledger, from the database. */
export async function coverageOf(
  seine: Seine,
  scan: string,
): Promise<{
  status: string;
  listed: number;
  ledgered: number;
  ledger: { outcome: string; objects: number }[];
}> {
  return JSON.parse((await seine.run(['coverage', scan, '--json'])).stdout);
}

/** Bytes that a scan has read, from the database: no command says it object by object. */
export async function bytesRead(seine: Seine, scan: string): Promise<number> {
  process.env.SEINE_IDLE_STOP = '1'; // if this process has to start the server
  const db = await openDatabase({ dataFolder: seine.data, max: 1 });
  try {
    const sql = 'select sum(bytes_read)::bigint as bytes from shard where scan_id = $1';
    return (await one<{ bytes: number }>(db, sql, [scan])).bytes;
  } finally {
    await db.close();
  }
}
