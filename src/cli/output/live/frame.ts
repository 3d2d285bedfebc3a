/** The screen as lines of text, for any size: the most important sections come first, the worker rows take the remaining space. */
import type { Alert } from '../../../scans/monitor/alert.ts';
import type { ScanlessSnapshot, Snapshot } from '../../../scans/monitor/snapshot.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { alertSection, fewAlerts } from './alert-section.ts';
import { progressSection } from './progress-section.ts';
import { recentSection } from './recent-section.ts';
import { runnerLanes, runnerLine } from './runner-rows.ts';
import { shardSection } from './shard-section.ts';
import { EMPTY_LINE, renderLine, type StyledLine, span } from './styled-line.ts';
import { workerLine, workerRows } from './worker-rows.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Windows with fewer rows get no empty lines. */
const ROOMY = 20;

const NO_SCANS: StyledLine = [span('No scans yet.', 'gray')];

/** Returns exactly `size.rows` lines, none wider than `size.columns`. */
export function renderFrame(
  snapshot: Snapshot | ScanlessSnapshot,
  alerts: readonly Alert[],
  footer: string,
  size: Size,
  style: TerminalStyle,
): string[] {
  const { columns, rows } = size;
  const { lines, below } =
    snapshot.scan === null
      ? ofWorkflows(snapshot, alerts, size, style)
      : ofScan(snapshot, alerts, size, style);
  while (lines.length + below.length < rows - 1) lines.push(EMPTY_LINE);
  const all = [...lines, ...below].slice(0, rows - 1);
  return [...all, [span(footer, 'gray')]].slice(0, rows).map((line) => renderLine(line, columns, style));
}

interface Parts {
  readonly lines: StyledLine[];
  /** At the bottom of the window. */
  readonly below: readonly StyledLine[];
}

function ofWorkflows(
  snapshot: ScanlessSnapshot,
  alerts: readonly Alert[],
  { columns, rows }: Size,
  look: TerminalStyle,
): Parts {
  const above = [NO_SCANS, workerLine(snapshot, look), ...runnerLine(snapshot, look)];
  const room = Math.max(0, rows - above.length - 1);
  const below = fewAlerts(alerts, Math.min(room, Math.max(1, Math.floor(rows / 2))), columns, look);
  return { lines: [...above, ...runnerLanes(snapshot, room - below.length, look)], below };
}

function ofScan(
  snapshot: Snapshot,
  alerts: readonly Alert[],
  { columns, rows }: Size,
  look: TerminalStyle,
): Parts {
  const gap = rows >= ROOMY ? [EMPTY_LINE] : [];
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
  const lines = [...above, ...workerRows(snapshot, room - below.length, columns, look)];
  const left = rows - 1 - lines.length - below.length - gap.length;
  const recent = recentSection(snapshot, left);
  if (recent.length > 0) lines.push(...gap, ...recent);
  return { lines, below };
}

const MAX_WORKER_ROWS = 12;
const MAX_RECENT_EVENTS = 5;

/** The same as text of any length. */
export function renderPage(
  snapshot: Snapshot | ScanlessSnapshot,
  alerts: readonly Alert[],
  style: TerminalStyle,
): string {
  const { width } = style;
  const sections: StyledLine[][] = [
    ...(snapshot.scan === null
      ? [[NO_SCANS]]
      : [progressSection(snapshot, width, style), shardSection(snapshot, width, style)]),
    [workerLine(snapshot, style), ...workerRows(snapshot, MAX_WORKER_ROWS, width, style)],
    [...runnerLine(snapshot, style), ...runnerLanes(snapshot, MAX_WORKER_ROWS, style)],
    snapshot.scan === null ? [] : recentSection(snapshot, MAX_RECENT_EVENTS),
    alertSection(alerts, width, style),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${renderLine(line, width, style)}\n`).join(''));
  return text.join('\n');
}
