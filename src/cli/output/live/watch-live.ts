/** Following a scan until it ends: on a whole screen, or as plain lines where there is none. */
import type { Writable } from 'node:stream';
import type { Alert } from '../../../scans/monitor/alert.ts';
import type { ScanlessSnapshot, Snapshot } from '../../../scans/monitor/snapshot.ts';
import { humanSeconds } from '../quantities.ts';
import type { TerminalStyle } from '../terminal-style.ts';
import { renderFrame } from './frame.ts';
import { Screen, type Terminal } from './screen.ts';
import { alertSentence, progressSentence } from './sentence.ts';

export interface MonitorView {
  readonly snapshot: Snapshot | ScanlessSnapshot;
  readonly alerts: readonly Alert[];
}

const HINT = 'q leaves; the scan goes on';
const SCANLESS_HINT = 'q leaves';
const TICK_MS = 1000;
/** After so long without a snapshot the screen says that it shows the past. */
const SILENT_MS = 5000;

/** The last of the sights; null when there was none. */
export async function watchOnScreen(
  sights: AsyncIterable<MonitorView>,
  terminal: Terminal,
  style: TerminalStyle,
): Promise<MonitorView | null> {
  const screen = new Screen(terminal);
  let last: MonitorView | null = null;
  let seenAt = performance.now();
  const draw = () => {
    if (last === null) return;
    const { columns = 80, rows = 24 } = terminal;
    const silent = performance.now() - seenAt;
    const hint = last.snapshot.scan === null ? SCANLESS_HINT : HINT;
    const footer =
      silent < SILENT_MS ? hint : `no answer from the database for ${humanSeconds(silent / 1000)}; ${hint}`;
    screen.draw(renderFrame(last.snapshot, last.alerts, footer, { columns, rows }, style));
  };
  const drawAll = () => {
    screen.forget();
    draw();
  };
  const ticking = setInterval(draw, TICK_MS);
  terminal.on('resize', drawAll);
  process.on('SIGCONT', drawAll); // the shell wrote into our screen meanwhile
  try {
    screen.enter();
    for await (const sight of sights) {
      last = sight;
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

/** A line every ten seconds, and at once the alerts that are new and the end. `quiet`: nothing. */
export async function watchAsLines(
  sights: AsyncIterable<MonitorView>,
  out: Writable,
  { quiet = false } = {},
): Promise<MonitorView | null> {
  let last: MonitorView | null = null;
  let saidAt = Number.NEGATIVE_INFINITY;
  let known = new Set<string>();
  const log = (sentence: string) => quiet || out.write(`${sentence}\n`);
  for await (const sight of sights) {
    for (const alert of sight.alerts) if (!known.has(alert.id)) log(alertSentence(alert));
    known = new Set(sight.alerts.map((alert) => alert.id));
    const at = Date.parse(sight.snapshot.at) / 1000;
    const moved = last === null || last.snapshot.scan?.status !== sight.snapshot.scan?.status;
    if (moved || at - saidAt >= LINE_SECONDS) {
      log(progressSentence(sight.snapshot));
      saidAt = at;
    }
    last = sight;
  }
  return last;
}
