import type { LedgerLine, ObjectOutcome, Report } from '../../../scans/results/report.ts';
import { baselineText, coverageLine, coverageOf, reasonOf, suppressedText } from '../coverage.ts';
import { pluralize } from '../quantities.ts';
import { statusText } from '../status-text.ts';

const OUTCOME_TEXT: Readonly<Record<ObjectOutcome, string>> = {
  scanned: 'read',
  unchanged: 'unchanged',
  partial: 'read in part',
  skipped: 'not read',
  dead: 'failed after all attempts',
};

/** The outcome of the scan. Each reason for unread objects is a notification, so that an empty result is not mistaken for no risk. */
export function invocationOf(report: Report, leftOut: number): Record<string, unknown> {
  const { scan } = report;
  const coverage = coverageOf(report.ledger);
  const { word, warning } = statusText(report);
  const notifications = coverage.gaps.map(gapNotification);
  if (scan.status !== 'completed')
    notifications.unshift(notification('scan-not-complete', 'error', `${word}: ${warning}`));
  if (report.baseline)
    notifications.push(notification('compared-with-baseline', 'note', `${baselineText(report.baseline)}.`));
  if (report.suppressed.findings > 0) notifications.push(suppressedNotification(report));
  if (leftOut > 0) notifications.push(leftOutNotification(leftOut));
  return {
    executionSuccessful: scan.status === 'completed',
    startTimeUtc: scan.createdAt.toISOString(),
    ...(scan.finishedAt === null ? {} : { endTimeUtc: scan.finishedAt.toISOString() }),
    toolExecutionNotifications: notifications,
    properties: { coverage: coverageLine(coverage), seconds: scan.seconds },
  };
}

function gapNotification(line: LedgerLine): Record<string, unknown> {
  const text = `${pluralize(line.objects, 'object')} ${OUTCOME_TEXT[line.outcome]}: ${reasonOf(line)}.`;
  return {
    ...notification(`object-${line.outcome}`, line.outcome === 'dead' ? 'error' : 'warning', text),
    properties: {
      outcome: line.outcome,
      reason: line.reason,
      reasonCode: line.reasonCode,
      objects: line.objects,
      bytes: line.bytes,
    },
  };
}

function suppressedNotification({ suppressed }: Report): Record<string, unknown> {
  return {
    ...notification('findings-suppressed', 'note', `${suppressedText(suppressed)}.`),
    properties: suppressed,
  };
}

function leftOutNotification(leftOut: number): Record<string, unknown> {
  const text = `${pluralize(leftOut, 'result')} left out: code scanning services limit the results of a run. The JSONL output has all of them.`;
  return { ...notification('results-left-out', 'warning', text), properties: { resultsLeftOut: leftOut } };
}

function notification(
  id: string,
  level: 'note' | 'warning' | 'error',
  text: string,
): Record<string, unknown> {
  return { descriptor: { id }, level, message: { text } };
}
