/** The head of the screen: scan, progress, rates, time left. */
import type { Amount, BudgetUsage, Snapshot, Spread } from '../../../scans/monitor/snapshot.ts';
import { describeEta } from '../progress/eta.ts';
import { percent } from '../progress/progress-line.ts';
import { groupDigits, humanBytes, humanSeconds, threeDigits } from '../quantities.ts';
import { ellipsis, type TerminalStyle } from '../terminal-style.ts';
import { truncateMiddle, widthOf } from '../text-width.ts';
import { visible } from '../visible.ts';
import { shareBar } from './bars.ts';
import {
  alignEnds,
  EMPTY_LINE,
  joinWithDots,
  lineWidth,
  type StyledLine,
  span,
  type TextStyle,
} from './styled-line.ts';

const STATUS_STYLES: Readonly<Record<string, TextStyle>> = {
  running: ['bold', 'cyan'],
  completed: 'bold',
  incomplete: ['bold', 'yellow'],
  interrupted: 'yellow',
  paused: 'yellow',
  cancelled: ['bold', 'yellow'],
  failed: ['bold', 'red'],
};

export function progressSection(snapshot: Snapshot, width: number, style: TerminalStyle): StyledLine[] {
  const lines = [
    titleLine(snapshot, width, style),
    gaugeLine(snapshot, width, style),
    amountLine(snapshot, style),
    outcomeLine(snapshot, style),
    budgetLine(snapshot, style),
    errorLine(snapshot),
  ];
  return lines.filter((line) => line.length > 0);
}

function titleLine({ scan }: Snapshot, width: number, style: TerminalStyle): StyledLine {
  const round = scan.round > 0 ? [[span(`round ${scan.round + 1}`)]] : [];
  const time = humanSeconds(scan.workedSeconds || scan.elapsedSeconds);
  const status = scan.paused && scan.status === 'running' ? 'paused' : scan.status;
  const right = joinWithDots([...round, [span(status, STATUS_STYLES[status])], [span(time)]], style);
  const name = `scan ${scan.id}  `;
  const room = width - lineWidth(right) - 2 - widthOf(name);
  const source = truncateMiddle(visible(scan.source), Math.max(10, room), ellipsis(style));
  return alignEnds([span(name, 'bold'), span(source)], right, width, style);
}

/** No bar is drawn if the range of the share is wider than this. */
const ROUGH = 0.5;

function gaugeLine(snapshot: Snapshot, width: number, style: TerminalStyle): StyledLine {
  const { scan, eta, estimate, done } = snapshot;
  if (scan.status !== 'running') return EMPTY_LINE;
  const left = eta === null ? 'time left unknown' : describeEta(eta);
  if (estimate === null) return [span(`total unknown, ${left}`, 'gray')];
  const share = shareOf(done, estimate.bytes ?? estimate.objects, estimate.bytes !== null);
  const by = estimate.from === 'plan' ? '' : ' according to the last scan';
  const text = ` ${shareText(share.min, share.max)}, ${style.unicode ? left : left.replace('–', '-')}${by}`;
  if (share.max - share.min > ROUGH) return [span(text.trim())];
  const bar = shareBar(share.min, share.max, Math.max(10, Math.min(60, width - widthOf(text))), style);
  return [...bar, span(text)];
}

function shareOf(done: Amount, whole: Spread, bytes: boolean): { min: number; max: number } {
  const part = bytes ? done.bytes : done.objects;
  return {
    min: part / Math.max(part, whole.high, 1),
    max: part / Math.max(part, whole.low, 1),
  };
}

function shareText(min: number, max: number): string {
  const [low, high] = [percent(min), percent(max)];
  return low === high ? low : `${low.replace(' %', '')} to ${high}`;
}

/** A rate measured over longer than this is shown as an average. */
const AVERAGE_SECONDS = 15;

function amountLine({ done, estimate, rate, scan }: Snapshot, style: TerminalStyle): StyledLine {
  const objects = estimate && scan.status === 'running' ? ` of ${spread(estimate.objects, groupDigits)}` : '';
  const bytes =
    estimate?.bytes && scan.status === 'running' ? ` of ${spread(estimate.bytes, humanBytes)}` : '';
  const average = rate.overSeconds > AVERAGE_SECONDS ? ' on average' : '';
  return joinWithDots(
    [
      [span(`${groupDigits(done.objects)}${objects} objects`, 'bold')],
      [span(`${humanBytes(done.bytes)}${bytes}`)],
      rate.objectsPerSecond > 0
        ? [span(`${threeDigits(rate.objectsPerSecond)} objects/s${average}`)]
        : EMPTY_LINE,
      rate.bytesPerSecond > 0 ? [span(`${humanBytes(rate.bytesPerSecond)}/s`)] : EMPTY_LINE,
    ],
    style,
  );
}

function spread({ low, likely, high }: Spread, show: (n: number) => string): string {
  return high <= low * 1.5 ? `~${show(likely)}` : `${show(low)} to ${show(high)}`;
}

function outcomeLine({ done }: Snapshot, style: TerminalStyle): StyledLine {
  const styles: Readonly<Record<string, TextStyle>> = { partial: 'yellow', skipped: 'yellow', dead: 'red' };
  const outcomes = Object.entries(done.outcomes).filter(([, { objects }]) => objects > 0);
  return joinWithDots(
    outcomes.map(
      ([outcome, { objects }]): StyledLine => [span(`${groupDigits(objects)} ${outcome}`, styles[outcome])],
    ),
    style,
  );
}

function errorLine({ scan }: Snapshot): StyledLine {
  return scan.error === null ? EMPTY_LINE : [span(visible(scan.error), 'red')];
}

function budgetLine({ budget }: Snapshot, style: TerminalStyle): StyledLine {
  if (budget === null) return EMPTY_LINE;
  const parts = budget.map((line): StyledLine => {
    const words = `${spendingText(line, line.spent)} of ${spendingText(line, line.limit)}`;
    return [span(line.what === 'requests' ? `${words} requests` : words, line.met ? 'red' : undefined)];
  });
  return [span('budget  '), ...joinWithDots(parts, style)];
}

function spendingText({ what, currency }: BudgetUsage, n: number): string {
  if (what === 'bytes') return humanBytes(n);
  if (what === 'time') return humanSeconds(n);
  return what === 'cost' ? `${currency}${n.toFixed(2)}` : groupDigits(n);
}
