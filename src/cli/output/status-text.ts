import type { Report, ScanStatus } from '../../scans/results/report.ts';
import { coverageOf } from './coverage.ts';
import { groupDigits, pluralize } from './quantities.ts';

/** A word for the state of the scan, and what a reader must know before the numbers (null: they say it all themselves). */
export interface StatusText {
  readonly word: string;
  readonly warning: string | null;
}

const UNFINISHED: Readonly<Partial<Record<ScanStatus, string>>> = {
  planning: 'the scan has not begun to read; the numbers below are not the result.',
  running: 'the scan is still running; the numbers below will change.',
  finalizing: 'everything was read, but the results are still being put together.',
  interrupted: 'the scan was stopped before the end. What follows is true of the part it had reached.',
  incomplete: 'part of the source could not be read. What follows is true of the rest.',
  failed: 'the scan broke off. What follows is true of the part it had reached.',
};

export function statusText(report: Report): StatusText {
  const { status } = report.scan;
  const unfinished = UNFINISHED[status];
  if (unfinished !== undefined) return { word: status, warning: unfinished };
  const { notRead, objects } = coverageOf(report.ledger);
  if (notRead === 0) return { word: status, warning: null };
  const warning = `${groupDigits(notRead)} of ${pluralize(objects, 'object')} not read to the end; see the coverage.`;
  return { word: 'not everything was read', warning };
}
