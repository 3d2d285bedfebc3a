import type { Report } from '../../../scans/results/report.ts';
import { formatCommand } from '../../suggest-command.ts';
import { coverageOf, totalFindings } from '../coverage.ts';
import { localPath } from '../source-path.ts';
import { heading, paint, type TerminalStyle } from '../terminal-style.ts';
import { padEnd, widthOf } from '../text-width.ts';

/** Suggested commands that can be pasted. */
export function nextSection(report: Report, style: TerminalStyle): string[] {
  const steps = nextSteps(report).map(
    ([words, why]) => [formatCommand(words, style.invocation ?? {}), why] as const,
  );
  const room = style.width - 4 - Math.max(...steps.map(([, why]) => widthOf(why)));
  const fitting = steps.map(([command]) => widthOf(command)).filter((width) => width <= room);
  const width = Math.max(0, ...fitting);
  const rows = steps.flatMap(([command, why]) =>
    widthOf(command) <= width
      ? [`  ${paint(style, 'cyan', padEnd(command, width))}  ${paint(style, 'gray', why)}`]
      : [`  ${paint(style, 'cyan', command)}`, `    ${paint(style, 'gray', why)}`],
  );
  return [heading('Next', style), ...rows];
}

type Step = readonly [words: readonly string[], why: string];

function nextSteps(report: Report): Step[] {
  const { id } = report.scan;
  const severe = report.tiers.HIGH + report.tiers.CRITICAL > 0;
  const steps: Step[] = [];
  if (report.scan.status === 'interrupted') steps.push([['resume', id], 'resume the scan']);
  if (coverageOf(report.ledger).notRead > 0)
    steps.push([['coverage', id], 'objects not fully read, and why']);
  if (totalFindings(report) > 0) {
    const where = severe ? ['--where', 'tier >= HIGH'] : [];
    steps.push([['findings', id, ...where], severe ? 'the most severe findings' : 'all findings']);
    const [fired] = report.policies;
    if (fired) steps.push([['findings', id, '--policy', fired.policy], 'findings that matched a policy']);
    const path = inspectable(report);
    if (path !== null) steps.push([['inspect', path], 'the worst object in detail']);
  }
  steps.push([['show', id, '--output', 'report.html'], 'a report to share']);
  return steps;
}

/** The worst object that `inspect` can open and whose name can be pasted. */
function inspectable({ scan, objects, ledger }: Report): string | null {
  const root = localPath(scan.source)?.replace(/\/+$/, '');
  if (root === undefined) return null;
  const alone = coverageOf(ledger).objects === 1;
  // A source can be a single file, and then is itself the object.
  const paths = objects.map(({ key }) => (alone && root.endsWith(`/${key}`) ? root : `${root}/${key}`));
  return paths.find(isPastable) ?? null;
}

/** Printable ASCII only: other names are shown escaped, and would name another file when pasted. */
function isPastable(text: string): boolean {
  return /^[ -~]+$/.test(text);
}
