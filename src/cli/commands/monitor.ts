import { Command, Option } from 'commander';
import type { SetExitCode } from '../exit-code.ts';
import { withCommonOptions } from '../options.ts';
import type { MonitorFlags } from '../output/live/monitor-scan.ts';

export function monitorCommand(exit: SetExitCode): Command {
  const command = new Command('monitor')
    .description('what a scan is doing, and workflows: progress, shards, workers, alerts')
    .argument(
      '[scan]',
      'number of the scan (default: the newest that has not ended, else the newest; not needed for workflows)',
    )
    .option(
      '--live',
      'follow it until it ends: a whole screen, or a line every 10 s where there is no terminal',
    )
    .addOption(new Option('--details', 'with tables of its shards and of the workers').conflicts('live'))
    .addOption(
      new Option('--alerts', 'only what somebody should look at; exits with 3 when there is any').conflicts([
        'live',
        'details',
      ]),
    )
    .option('--export <file>', 'write the snapshot to a file as JSON; with --live again and again')
    .option('-q, --quiet', 'print nothing; the exit code, --json and --export are still there')
    .addHelpText(
      'after',
      `
Exit codes: 0 done · 1 error, or with --live the scan did not end completely · 2 wrong usage · 3 alerts, with --alerts`,
    );
  return withCommonOptions(command).action(async (id: string | undefined, flags: MonitorFlags) => {
    const { withApp } = await import('../with-app.ts');
    const { monitorScan } = await import('../output/live/monitor-scan.ts');
    exit(await withApp(flags, (app) => monitorScan(app, id, flags)));
  });
}
