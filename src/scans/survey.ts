/**
 * How much there is, found out beside a running scan by a thread that only lists: for the progress display and nothing
 * else. It begins after a moment, so that a short scan never pays for it.
 */
import { Worker } from 'node:worker_threads';
import type { Scope } from './scope.ts';

export interface Totals {
  readonly objects: number;
  readonly bytes: number;
  /** The listing has come to its end. */
  readonly final: boolean;
}

const BEGIN_AFTER_MS = 700;
const SMALL = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 };

export function startSurvey(target: string, scope: Scope): { totals(): Totals | null; stop(): void } {
  let totals: Totals | null = null;
  let worker: Worker | null = null;
  const timer = setTimeout(() => {
    worker = new Worker(new URL('./survey-thread.ts', import.meta.url), {
      workerData: { target, scope },
      resourceLimits: SMALL,
    });
    worker.on('message', (news: Totals) => {
      totals = news;
    });
    worker.on('error', () => {}); // the scan itself will say what is wrong
    worker.unref();
  }, BEGIN_AFTER_MS);
  timer.unref();
  return {
    totals: () => totals,
    stop: () => {
      clearTimeout(timer);
      void worker?.terminate();
    },
  };
}
