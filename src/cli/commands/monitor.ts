import { Command, Option } from 'commander';
import type { SetExitCode } from '../exit-code.ts';
import { withCommonOptions } from '../options.ts';
import type { MonitorFlags } from '../output/live/monitor-scan.ts';

export function monitorCommand(exit: SetExitCode): Command {
  const command = new Command('monitor')
    .description('show the state of a scan and of workflows: progress, shards, workers, alerts')
    .argument(
      '[scan]',
      'number of the scan (default: the newest that has not ended, else the newest; not needed for workflows)',
    )
    .option('--live', 'follow the scan until it ends: full screen on a terminal, else a line every 10 s')
    .addOption(new Option('--details', 'add tables of shards and workers').conflicts('live'))
    .addOption(
      new Option('--alerts', 'show alerts only; exit with 3 if there are any').conflicts(['live', 'details']),
    )
    .option('--export <file>', 'write the snapshot to a file as JSON; with --live on every update')
    .option('-q, --quiet', 'print nothing; the exit code, --json and --export still work')
    .addHelpText(
      'after',
      `
Exit codes: 0 success · 1 error, or with --live the scan ended incomplete · 2 usage error · 3 alerts, with --alerts`,
    );
  return withCommonOptions(command).action(async (id: string | undefined, flags: MonitorFlags) => {
    const { withApp } = await import('../with-app.ts');
    const { monitorScan } = await import('../output/live/monitor-scan.ts');
    exit(await withApp(flags, (app) => monitorScan(app, id, flags)));
  });
}
