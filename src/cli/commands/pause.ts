import { Command } from 'commander';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import { type CommonFlags, parseScanId, withCommonOptions } from '../options.ts';
import { suggestCommand } from '../suggest-command.ts';

/** `seine pause` and `seine cancel`: both stop the work of all processes on a scan; only a paused scan can be resumed. */
export function pauseCommand(): Command {
  const command = new Command('pause')
    .description('pause a scan; progress is kept')
    .argument('<scan>', 'number of the scan');
  return withCommonOptions(command).action(async (text: string, flags: CommonFlags) => {
    const { withApp } = await import('../with-app.ts');
    const { findStoppable, pauseScan } = await import('../../scans/lifecycle/control-scan.ts');
    await withApp(flags, async ({ db }) => {
      const { id } = await findStoppable(db, parseScanId(text), 'pause');
      await pauseScan(db, id, 'paused');
      await findStoppable(db, id, 'pause'); // throws if the scan ended meanwhile
      report(flags, id, 'paused', `Resume with: ${suggestCommand(['resume', String(id)], flags)}`);
    });
  });
}

export function cancelCommand(exit: SetExitCode): Command {
  const command = new Command('cancel')
    .description('cancel a scan; findings so far are kept')
    .argument('<scan>', 'number of the scan');
  return withCommonOptions(command).action(async (text: string, flags: CommonFlags) => {
    const { withApp } = await import('../with-app.ts');
    const { cancelScan, findStoppable } = await import('../../scans/lifecycle/control-scan.ts');
    const { readScan } = await import('../../scans/lifecycle/scan-store.ts');
    const { finishHooks } = await import('../hooks/finish-hooks.ts');
    const { withJobs } = await import('../with-jobs.ts');
    await withApp(flags, async (app) => {
      const { id } = await findStoppable(app.db, parseScanId(text), 'cancel');
      await withJobs(app, async (jobs) => cancelScan(app.db, jobs, id), id);
      const { status } = (await readScan(app.db, id))!;
      if (status === 'completed' || status === 'incomplete') await findStoppable(app.db, id, 'cancel'); // throws: the scan ended first
      report(flags, id, 'cancelled', `Show its findings: ${suggestCommand(['show', String(id)], flags)}`);
      if (app.config.mode === 'single' && !(await finishHooks(app, id, flags))) exit(EXIT.error);
    });
  });
}

function report(flags: CommonFlags, scan: number, status: string, next: string): void {
  if (flags.json) process.stdout.write(`${JSON.stringify({ scan, status })}\n`);
  else process.stderr.write(`Scan ${scan} is ${status}. ${next}\n`);
}
