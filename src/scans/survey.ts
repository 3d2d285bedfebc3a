/**
 * How much there is, found out beside a running scan: for the progress display and nothing else. A folder is listed by a thread of
 * its own, after a moment, so that a short scan never pays for it. To list a store twice would cost money and the rate that the
 * scan itself needs: there it is what the plan saw, as soon as it is known.
 */
import { Worker } from 'node:worker_threads';
import type { Queryable } from '../db/database.ts';
import { isLocal } from '../sources/open.ts';
import { readEstimate } from './monitor/snapshot-store.ts';
import type { ScanRow } from './scan-store.ts';
import type { Scope } from './scope.ts';

export interface Totals {
  readonly objects: number;
  readonly bytes: number;
  /** The listing has come to its end. */
  readonly final: boolean;
  /** Nothing was counted: there may be fewer or more. */
  readonly guessed: boolean;
}

export interface Survey {
  totals(): Totals | null;
  stop(): void;
}

const BEGIN_AFTER_MS = 700;
const ASK_EVERY_MS = 1000;
const SMALL = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 };

/** Lists a target until it is told to stop, and tells of what it saw. */
export type Lister = (target: string, scope: Scope, tell: (totals: Totals) => void) => () => void;

export function startSurvey(
  db: Queryable,
  scan: Pick<ScanRow, 'id' | 'source'>,
  scope: Scope,
  lister: Lister = listInThread,
): Survey {
  return isLocal(scan.source) ? listBeside(scan.source, scope, lister) : askThePlan(db, scan.id);
}

function listBeside(target: string, scope: Scope, lister: Lister): Survey {
  let totals: Totals | null = null;
  let stop = () => {};
  const begin = () => {
    stop = lister(target, scope, (news) => {
      totals = news;
    });
  };
  const timer = setTimeout(begin, BEGIN_AFTER_MS);
  timer.unref();
  return {
    totals: () => totals,
    stop: () => {
      clearTimeout(timer);
      stop();
    },
  };
}

const listInThread: Lister = (target, scope, tell) => {
  const worker = new Worker(new URL('./survey-thread.ts', import.meta.url), {
    workerData: { target, scope },
    resourceLimits: SMALL,
  });
  worker.on('message', tell);
  worker.on('error', () => {}); // the scan itself will say what is wrong
  worker.unref();
  return () => void worker.terminate();
};

function askThePlan(db: Queryable, scan: number): Survey {
  let totals: Totals | null = null;
  const ask = async () => {
    const seen = await readEstimate(db, scan).catch(() => null); // the scan itself will say what is wrong
    if (!seen) return;
    clearInterval(asking);
    totals = { objects: seen.objects.likely, bytes: seen.bytes?.likely ?? 0, final: false, guessed: true };
  };
  const asking = setInterval(() => void ask(), ASK_EVERY_MS);
  asking.unref();
  return { totals: () => totals, stop: () => clearInterval(asking) };
}
