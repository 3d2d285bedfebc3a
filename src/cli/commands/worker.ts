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
    .description('run a worker that processes submitted scans')
    .option('--concurrency <number>', 'shards processed at a time (default: setting worker.concurrency, 4)')
    .option('--threads <number>', 'detection threads (default: number of cores)')
    .option('--until-idle', 'exit when no scan and no hook is left, instead of waiting for more')
    .option('--quiet', 'print no messages')
    .addHelpText(
      'after',
      `
Workers are identical: start as many as you like, on any machine with the same DATABASE_URL. They can join and leave at any time.
SIGTERM or Ctrl-C drains: the worker checkpoints, releases its shards and exits; other workers continue from there.`,
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
