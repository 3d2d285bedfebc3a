/** The head of the screen: which scan, how far, how fast, how long. */
import type { Amount, Snapshot, Spending, Spread } from '../../../scans/monitor/snapshot.ts';
import { describeEta } from '../eta.ts';
import { ellipsis, type Look } from '../look.ts';
import { percent } from '../progress-line.ts';
import { grouped, humanBytes, humanSeconds, threeDigits } from '../quantities.ts';
import { truncateMiddle, widthOf } from '../text-width.ts';
import { visible } from '../visible.ts';
import { shareBar } from './bars.ts';
import { BLANK, dotted, ends, type Line, lineWidth, type Style, span } from './line.ts';

const STATUS_STYLES: Readonly<Record<string, Style>> = {
  running: ['bold', 'cyan'],
  completed: 'bold',
  incomplete: ['bold', 'yellow'],
  interrupted: 'yellow',
  paused: 'yellow',
  cancelled: ['bold', 'yellow'],
  failed: ['bold', 'red'],
};

export function progressSection(snapshot: Snapshot, width: number, look: Look): Line[] {
  const lines = [
    titleLine(snapshot, width, look),
    gaugeLine(snapshot, width, look),
    amountLine(snapshot, look),
    outcomeLine(snapshot, look),
    budgetLine(snapshot, look),
    errorLine(snapshot),
  ];
  return lines.filter((line) => line.length > 0);
}

function titleLine({ scan }: Snapshot, width: number, look: Look): Line {
  const round = scan.round > 0 ? [[span(`round ${scan.round + 1}`)]] : [];
  const time = humanSeconds(scan.workedSeconds || scan.elapsedSeconds);
  const status = scan.paused && scan.status === 'running' ? 'paused' : scan.status;
  const right = dotted([...round, [span(status, STATUS_STYLES[status])], [span(time)]], look);
  const name = `scan ${scan.id}  `;
  const room = width - lineWidth(right) - 2 - widthOf(name);
  const source = truncateMiddle(visible(scan.source), Math.max(10, room), ellipsis(look));
  return ends([span(name, 'bold'), span(source)], right, width, look);
}

/** A bar only where the whole is known well enough to draw one. */
const ROUGH = 0.5;

function gaugeLine(snapshot: Snapshot, width: number, look: Look): Line {
  const { scan, eta, estimate, done } = snapshot;
  if (scan.status !== 'running') return BLANK;
  const left = eta === null ? 'time left unknown' : describeEta(eta);
  if (estimate === null) return [span(`how much there is in all is not known yet, ${left}`, 'gray')];
  const { least, most } = shareOf(done, estimate.bytes ?? estimate.objects, estimate.bytes !== null);
  const by = estimate.from === 'plan' ? '' : ' by the last scan';
  const text = ` ${shareText(least, most)}, ${look.unicode ? left : left.replace('–', '-')}${by}`;
  if (most - least > ROUGH) return [span(text.trim())];
  const bar = shareBar(least, most, Math.max(10, Math.min(60, width - widthOf(text))), look);
  return [...bar, span(text)];
}

function shareOf(done: Amount, whole: Spread, bytes: boolean): { least: number; most: number } {
  const part = bytes ? done.bytes : done.objects;
  return {
    least: part / Math.max(part, whole.high, 1),
    most: part / Math.max(part, whole.low, 1),
  };
}

function shareText(least: number, most: number): string {
  const [low, high] = [percent(least), percent(most)];
  return low === high ? low : `${low.replace(' %', '')} to ${high}`;
}

/** Measured over longer than this, it is no speed of the moment. */
const AVERAGE_SECONDS = 15;

function amountLine({ done, estimate, rate, scan }: Snapshot, look: Look): Line {
  const objects = estimate && scan.status === 'running' ? ` of ${spread(estimate.objects, grouped)}` : '';
  const bytes =
    estimate?.bytes && scan.status === 'running' ? ` of ${spread(estimate.bytes, humanBytes)}` : '';
  const average = rate.overSeconds > AVERAGE_SECONDS ? ' on average' : '';
  return dotted(
    [
      [span(`${grouped(done.objects)}${objects} objects`, 'bold')],
      [span(`${humanBytes(done.bytes)}${bytes}`)],
      rate.objectsPerSecond > 0 ? [span(`${threeDigits(rate.objectsPerSecond)} objects/s${average}`)] : BLANK,
      rate.bytesPerSecond > 0 ? [span(`${humanBytes(rate.bytesPerSecond)}/s`)] : BLANK,
    ],
    look,
  );
}

function spread({ low, likely, high }: Spread, show: (n: number) => string): string {
  return high <= low * 1.5 ? `~${show(likely)}` : `${show(low)} to ${show(high)}`;
}

function outcomeLine({ done }: Snapshot, look: Look): Line {
  const styles: Readonly<Record<string, Style>> = { partial: 'yellow', skipped: 'yellow', dead: 'red' };
  const outcomes = Object.entries(done.outcomes).filter(([, { objects }]) => objects > 0);
  return dotted(
    outcomes.map(([outcome, { objects }]): Line => [span(`${grouped(objects)} ${outcome}`, styles[outcome])]),
    look,
  );
}

function errorLine({ scan }: Snapshot): Line {
  return scan.error === null ? BLANK : [span(visible(scan.error), 'red')];
}

function budgetLine({ budget }: Snapshot, look: Look): Line {
  if (budget === null) return BLANK;
  const parts = budget.map((line): Line => {
    const words = `${spendingText(line, line.spent)} of ${spendingText(line, line.limit)}`;
    return [span(line.what === 'requests' ? `${words} requests` : words, line.met ? 'red' : undefined)];
  });
  return [span('budget  '), ...dotted(parts, look)];
}

function spendingText({ what, currency }: Spending, n: number): string {
  if (what === 'bytes') return humanBytes(n);
  if (what === 'time') return humanSeconds(n);
  return what === 'cost' ? `${currency}${n.toFixed(2)}` : grouped(n);
}
