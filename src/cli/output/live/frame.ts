/** The screen as lines of text, for any size: what matters most keeps its place, the lanes take what is left. */
import type { Alert } from '../../../scans/monitor/alert.ts';
import type { ScanlessSnapshot, Snapshot } from '../../../scans/monitor/snapshot.ts';
import type { Look } from '../look.ts';
import { alertSection, fewAlerts } from './alert-section.ts';
import { lanes, workerLine } from './lanes.ts';
import { BLANK, type Line, paintLine, span } from './line.ts';
import { progressSection } from './progress-section.ts';
import { recentSection } from './recent-section.ts';
import { runnerLanes, runnerLine } from './runner-lanes.ts';
import { shardSection } from './shard-section.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** In a low window the empty lines go first. */
const ROOMY = 20;

const NO_SCANS: Line = [span('There are no scans yet.', 'gray')];

/** Exactly as many lines as the window has, none wider than it. */
export function renderFrame(
  snapshot: Snapshot | ScanlessSnapshot,
  alerts: readonly Alert[],
  footer: string,
  size: Size,
  look: Look,
): string[] {
  const { columns, rows } = size;
  const { lines, below } =
    snapshot.scan === null ? ofWorkflows(snapshot, alerts, size, look) : ofScan(snapshot, alerts, size, look);
  while (lines.length + below.length < rows - 1) lines.push(BLANK);
  const all = [...lines, ...below].slice(0, rows - 1);
  return [...all, [span(footer, 'gray')]].slice(0, rows).map((line) => paintLine(line, columns, look));
}

interface Parts {
  readonly lines: Line[];
  /** At the bottom of the window. */
  readonly below: readonly Line[];
}

function ofWorkflows(
  snapshot: ScanlessSnapshot,
  alerts: readonly Alert[],
  { columns, rows }: Size,
  look: Look,
): Parts {
  const above = [NO_SCANS, workerLine(snapshot, look), ...runnerLine(snapshot, look)];
  const room = Math.max(0, rows - above.length - 1);
  const below = fewAlerts(alerts, Math.min(room, Math.max(1, Math.floor(rows / 2))), columns, look);
  return { lines: [...above, ...runnerLanes(snapshot, room - below.length, look)], below };
}

function ofScan(snapshot: Snapshot, alerts: readonly Alert[], { columns, rows }: Size, look: Look): Parts {
  const gap = rows >= ROOMY ? [BLANK] : [];
  const above = [
    ...progressSection(snapshot, columns, look),
    ...gap,
    ...shardSection(snapshot, columns, look),
    ...gap,
    workerLine(snapshot, look),
    ...runnerLine(snapshot, look),
  ];
  const room = Math.max(0, rows - above.length - 1);
  const warned = fewAlerts(alerts, Math.min(room, Math.max(1, Math.floor(rows / 3))), columns, look);
  const below = [...(warned.length > 0 ? gap : []), ...warned];
  const lines = [...above, ...lanes(snapshot, room - below.length, columns, look)];
  const left = rows - 1 - lines.length - below.length - gap.length;
  const recent = recentSection(snapshot, left);
  if (recent.length > 0) lines.push(...gap, ...recent);
  return { lines, below };
}

const LANES = 12;
const RECENT = 5;

/** The same for a page of text: as long as it needs to be. */
export function renderPage(
  snapshot: Snapshot | ScanlessSnapshot,
  alerts: readonly Alert[],
  look: Look,
): string {
  const { width } = look;
  const sections: Line[][] = [
    ...(snapshot.scan === null
      ? [[NO_SCANS]]
      : [progressSection(snapshot, width, look), shardSection(snapshot, width, look)]),
    [workerLine(snapshot, look), ...lanes(snapshot, LANES, width, look)],
    [...runnerLine(snapshot, look), ...runnerLanes(snapshot, LANES, look)],
    snapshot.scan === null ? [] : recentSection(snapshot, RECENT),
    alertSection(alerts, width, look),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${paintLine(line, width, look)}\n`).join(''));
  return text.join('\n');
}
