/** Follows a scan until it ends: full screen on a terminal, else as plain lines. */
import type { Writable } from 'node:stream';
import type { Alert } from '../../../scans/monitor/alert.ts';
import type { ScanlessSnapshot, Snapshot } from '../../../scans/monitor/snapshot.ts';
import { humanSeconds } from '../quantities.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { renderFrame } from './frame.ts';
import { alertSentence, progressSentence } from './log-line.ts';
import { Screen, type Terminal } from './screen.ts';

export interface MonitorView {
  readonly snapshot: Snapshot | ScanlessSnapshot;
  readonly alerts: readonly Alert[];
}

const HINT = 'q quits; the scan continues';
const SCANLESS_HINT = 'q quits';
const TICK_MS = 1000;
/** After this time without a snapshot the screen shows that it is out of date. */
const SILENT_MS = 5000;

/** Returns the last view, or null if there was none. */
export async function watchOnScreen(
  views: AsyncIterable<MonitorView>,
  terminal: Terminal,
  style: TerminalStyle,
): Promise<MonitorView | null> {
  const screen = new Screen(terminal);
  let last: MonitorView | null = null;
  let seenAt = performance.now();
  const draw = () => {
    if (last === null) return;
    const { columns = 80, rows = 24 } = terminal;
    const silentMs = performance.now() - seenAt;
    const hint = last.snapshot.scan === null ? SCANLESS_HINT : HINT;
    const footer =
      silentMs < SILENT_MS
        ? hint
        : `no answer from the database for ${humanSeconds(silentMs / 1000)}; ${hint}`;
    screen.draw(renderFrame(last.snapshot, last.alerts, footer, { columns, rows }, style));
  };
  const drawAll = () => {
    screen.forget();
    draw();
  };
  const ticking = setInterval(draw, TICK_MS);
  terminal.on('resize', drawAll);
  process.on('SIGCONT', drawAll); // the shell wrote to the screen while the process was stopped
  try {
    screen.enter();
    for await (const view of views) {
      last = view;
      seenAt = performance.now();
      draw();
    }
    return last;
  } finally {
    clearInterval(ticking);
    terminal.off('resize', drawAll);
    process.off('SIGCONT', drawAll);
    screen.leave();
  }
}

const LINE_SECONDS = 10;

/** Prints a line every ten seconds; new alerts and status changes at once. `quiet` prints nothing. */
export async function watchAsLines(
  views: AsyncIterable<MonitorView>,
  out: Writable,
  { quiet = false } = {},
): Promise<MonitorView | null> {
  let last: MonitorView | null = null;
  let printedAt = Number.NEGATIVE_INFINITY;
  let known = new Set<string>();
  const log = (sentence: string) => quiet || out.write(`${sentence}\n`);
  for await (const view of views) {
    for (const alert of view.alerts) if (!known.has(alert.id)) log(alertSentence(alert));
    known = new Set(view.alerts.map((alert) => alert.id));
    const at = Date.parse(view.snapshot.at) / 1000;
    const hasChanged = last === null || last.snapshot.scan?.status !== view.snapshot.scan?.status;
    if (hasChanged || at - printedAt >= LINE_SECONDS) {
      log(progressSentence(view.snapshot));
      printedAt = at;
    }
    last = view;
  }
  return last;
}
