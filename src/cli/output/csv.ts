import type { Writable } from 'node:stream';
import type { Finding } from '../../scans/results/finding.ts';
import { keyJson, roundConfidence } from '../../scans/results/finding-json.ts';
import { writeChunks } from './write-chunks.ts';

const COLUMNS = [
  'scan',
  'source',
  'key',
  'keyHex',
  'part',
  'detector',
  'category',
  'field',
  'start',
  'end',
  'line',
  'column',
  'confidence',
  'tier',
  'masked',
  'fingerprint',
  'reasons',
  'handle',
] as const;

/** RFC 4180, with formula injection prevented. */
export async function writeCsv(findings: AsyncIterable<Finding>, out: Writable): Promise<void> {
  await writeChunks(rows(findings), out);
}

async function* rows(findings: AsyncIterable<Finding>): AsyncGenerator<string> {
  yield csvRow(COLUMNS);
  for await (const finding of findings) yield csvRow(cellsOf(finding));
}

function cellsOf(finding: Finding): (string | number)[] {
  const flat: Record<(typeof COLUMNS)[number], string | number | null> = {
    ...finding,
    keyHex: null,
    ...keyJson(finding.key),
    confidence: roundConfidence(finding.confidence),
    reasons: finding.reasons.join('; '),
  };
  return COLUMNS.map((column) => flat[column] ?? '');
}

export function csvRow(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A spreadsheet would run a cell that starts like a formula; an apostrophe in front makes it text. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r\n\0＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
