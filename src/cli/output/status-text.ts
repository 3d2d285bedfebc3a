import type { Report, ScanStatus } from '../../scans/results/report.ts';
import { coverageOf } from './coverage.ts';
import { groupDigits, pluralize } from './quantities.ts';

/** A word for the state of the scan, and a warning to show before the numbers (null: none is needed). */
export interface StatusText {
  readonly word: string;
  readonly warning: string | null;
}

const UNFINISHED: Readonly<Partial<Record<ScanStatus, string>>> = {
  planning: 'the scan has not started to read; the numbers below are not final.',
  running: 'the scan is still running; the numbers below will change.',
  finalizing: 'all objects were read; the results are still being finalized.',
  interrupted: 'the scan was interrupted. Results cover only the part scanned so far.',
  incomplete: 'part of the source could not be read. Results cover only the rest.',
  failed: 'the scan failed. Results cover only the part scanned so far.',
};

export function statusText(report: Report): StatusText {
  const { status } = report.scan;
  const unfinished = UNFINISHED[status];
  if (unfinished !== undefined) return { word: status, warning: unfinished };
  const { notRead, objects } = coverageOf(report.ledger);
  if (notRead === 0) return { word: status, warning: null };
  const warning = `${groupDigits(notRead)} of ${pluralize(objects, 'object')} not fully read; see the coverage.`;
  return { word: 'not everything was read', warning };
}
