import type { LedgerLine, ObjectOutcome, Report } from '../../scans/results/report.ts';
import { groupDigits, pluralize } from './quantities.ts';
import { visible } from './visible.ts';

/** The order in which outcomes are shown: best first. */
export const OUTCOMES: readonly ObjectOutcome[] = ['scanned', 'unchanged', 'partial', 'skipped', 'dead'];

/** What each outcome means for the completeness of the result. */
export const MEANINGS: Readonly<Record<ObjectOutcome, string>> = {
  scanned: 'fully read',
  unchanged: 'unchanged since an earlier scan, not read again',
  partial: 'partly read; the rest is unknown',
  skipped: 'not read',
  dead: 'not read: all attempts failed',
};

export interface Coverage {
  readonly objects: number;
  readonly bytes: number;
  readonly byOutcome: Readonly<Record<ObjectOutcome, { readonly objects: number; readonly bytes: number }>>;
  /** Ledger lines of the objects that were not fully read; most objects first. */
  readonly gaps: readonly LedgerLine[];
  /** Number of objects that were not fully read. */
  readonly notRead: number;
}

export function coverageOf(ledger: readonly LedgerLine[]): Coverage {
  const of = (outcome: ObjectOutcome) => sum(ledger.filter((line) => line.outcome === outcome));
  const gaps = ledger
    .filter((line) => isGap(line.outcome) && line.objects > 0)
    .toSorted((a, b) => b.objects - a.objects || OUTCOMES.indexOf(b.outcome) - OUTCOMES.indexOf(a.outcome));
  return {
    ...sum(ledger),
    byOutcome: {
      scanned: of('scanned'),
      unchanged: of('unchanged'),
      partial: of('partial'),
      skipped: of('skipped'),
      dead: of('dead'),
    },
    gaps,
    notRead: sum(gaps).objects,
  };
}

export function isGap(outcome: ObjectOutcome): boolean {
  return outcome === 'partial' || outcome === 'skipped' || outcome === 'dead';
}

export const MIXED_VERSIONS =
  'Some objects were scanned by workers of another Seine version. The next scan reads them again.';

/** "412 objects: 398 scanned, 9 unchanged, 3 partial, 2 skipped": the parts always sum up to the whole. */
export function coverageLine(coverage: Coverage): string {
  const parts = OUTCOMES.filter((outcome) => coverage.byOutcome[outcome].objects > 0).map(
    (outcome) => `${groupDigits(coverage.byOutcome[outcome].objects)} ${outcome}`,
  );
  return `${pluralize(coverage.objects, 'object')}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}

export function reasonOf(line: LedgerLine): string {
  return line.reason === null || line.reason === '' ? 'no reason recorded' : visible(line.reason);
}

export function totalFindings(report: Report): number {
  return report.types.reduce((total, type) => total + type.findings, 0);
}

/** "12 findings suppressed (3 suppressions)". */
export function suppressedText({ findings, suppressions }: Report['suppressed']): string {
  return `${pluralize(findings, 'finding')} suppressed (${pluralize(suppressions, 'suppression')})`;
}

/** "3 new against the baseline main; 1,200 known (2 of them moved), 4 gone". */
export function baselineText({
  name,
  known,
  moved,
  gone,
  ...found
}: NonNullable<Report['baseline']>): string {
  const kept = `${groupDigits(known)} known${moved > 0 ? ` (${groupDigits(moved)} of them moved)` : ''}`;
  return `${groupDigits(found.new)} new against the baseline ${visible(name)}; ${kept}, ${groupDigits(gone)} gone`;
}

function sum(lines: readonly LedgerLine[]): { objects: number; bytes: number } {
  return lines.reduce(
    (total, line) => ({ objects: total.objects + line.objects, bytes: total.bytes + line.bytes }),
    { objects: 0, bytes: 0 },
  );
}
