/** Works on a scan until it ends, then shows what came out. The exit code says how it went. */
import type { App } from '../app.ts';
import { messageOf } from '../base/errors.ts';
import type { Config } from '../config.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { forgetOld } from '../scans/forget-old.ts';
import { removeUnusedQueues } from '../scans/hooks/lost-hooks.ts';
import type { ScanRow } from '../scans/scan-store.ts';
import { commandAgain } from './again.ts';
import { EXIT } from './exit-code.ts';
import { finishHooks } from './finish-hooks.ts';
import { knownNames } from './known-names.ts';
import type { CommonFlags } from './options.ts';
import { lookOf } from './output/look.ts';
import { createProgress } from './output/progress.ts';
import { failOnOf, mustFail, outputsOf, type ResultFlags } from './result-options.ts';
import { readRules } from './scan-request.ts';
import { showResult } from './show-result.ts';
import { type Session, workSession } from './work-session.ts';

/** At the end of a scan, for what is old; the rest comes with the next one. */
const FORGET_FOR_MS = 10_000;

type Begin = (app: App, jobs: Jobs) => Promise<ScanRow>;
type WorkFlags = CommonFlags & ResultFlags;

export async function workAndShow(
  config: Config,
  flags: WorkFlags,
  begin: Begin,
  session = workSession,
): Promise<number> {
  const outputs = outputsOf(flags);
  const failOn = failOnOf(flags, () => knownNames(readRules(flags.rules)));
  const { app, scan, interrupted, leaving } = await work(config, flags, begin, session);
  try {
    if (interrupted) {
      say(`Scan ${scan.id} stopped in order; nothing is lost. Go on with: ${resume(scan.id, flags)}`);
      return EXIT.error;
    }
    if (scan.finishedAt === null) {
      const why = scan.error === null ? '' : ` (${scan.error.replace(/\.$/, '')})`;
      say(`Scan ${scan.id} is ${scan.status}${why}; nothing is lost. Go on with: ${resume(scan.id, flags)}`);
      return EXIT.error;
    }
    const report = await showResult(app, scan, flags, outputs);
    await forget(app).catch((error) => say(`seine: ${messageOf(error)}`));
    const told = await finishHooks(app, scan.id, flags, leaving);
    if (scan.status !== 'completed' || !told) return EXIT.error;
    return mustFail(report, failOn) ? EXIT.findings : EXIT.done;
  } finally {
    await app.close();
  }
}

async function forget({ config, db }: App): Promise<void> {
  await forgetOld(config.retention, db.tx, FORGET_FOR_MS);
  await db.tx(removeUnusedQueues);
}

async function work(
  config: Config,
  flags: WorkFlags,
  begin: Begin,
  session: typeof workSession,
): Promise<Session> {
  const quiet = flags.quiet === true;
  const progress = createProgress(process.stderr, lookOf(process.stderr, process.env, flags), { quiet });
  const warn = (message: string) => say(`seine: ${message}`);
  let begun: number | null = null;
  const remember: Begin = async (app, jobs) => {
    const scan = await begin(app, jobs);
    begun = scan.id;
    return scan;
  };
  try {
    return await session(config, remember, { progress, warn, quiet });
  } catch (error) {
    progress.stop(); // the error must not stand behind the last line
    if (begun !== null)
      say(`Scan ${begun} broke off; what it wrote down is kept. Go on with: ${resume(begun, flags)}`);
    throw error;
  }
}

function resume(scan: number, flags: CommonFlags): string {
  return commandAgain(['resume', String(scan)], flags);
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
