import { Command } from 'commander';
import type { SetExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { type CommonFlags, configOf, withCommonOptions } from '../options.ts';

interface WorkerFlags extends CommonFlags {
  readonly concurrency?: string;
  readonly untilIdle?: boolean;
}

export function workerCommand(exit: SetExitCode): Command {
  const command = new Command('worker')
    .description('work on whatever scans there are, together with all other workers of the database')
    .option(
      '--concurrency <number>',
      'shards at a time (default: worker.concurrency of the configuration, 4)',
    )
    .option('--threads <number>', 'detection threads (default: one for each core)')
    .option(
      '--until-idle',
      'end when there is nothing left to do, hooks included, instead of waiting for more',
    )
    .option('--quiet', 'say nothing')
    .addHelpText(
      'after',
      `
Workers are identical: start as many as you like, on any machine with the same DATABASE_URL. They join and leave at any time.
SIGTERM or Ctrl-C drains: the worker writes down where it stands, gives its shards back and ends; others go on there.`,
    );
  return withCommonOptions(command).action(async (flags: WorkerFlags) => {
    const { runWorkerCommand } = await import('../scans/run-worker.ts');
    await runWorkerCommand(configOf(flags), {
      untilIdle: flags.untilIdle === true,
      quiet: flags.quiet === true,
      json: flags.json === true,
    });
    exit(EXIT.done);
  });
}
