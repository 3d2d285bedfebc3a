import { Command } from 'commander';
import { parseWholeNumber } from '../../../config.ts';
import { parsePartitionOption } from '../../../workflows/partitions/partition.ts';
import { EXIT, type SetExitCode } from '../../exit-code.ts';
import { type CommonFlags, collect, configOf, withCommonOptions } from '../../options.ts';

interface RunnerFlags extends CommonFlags {
  readonly workflow?: readonly string[];
  readonly module?: readonly string[];
  readonly partition?: string;
  readonly concurrency?: string;
  readonly untilIdle?: boolean;
}

export function runnerCommand(exit: SetExitCode): Command {
  const command = new Command('runner')
    .description('run a runner that executes workflows')
    .option(
      '--workflow <name>',
      'only this workflow (repeatable; default: all that the modules export)',
      collect,
    )
    .option(
      '--module <file>',
      'module with the workflow code (repeatable; default: SEINE_WORKFLOWS, or setting workflows)',
      collect,
    )
    .option(
      '--partition <i/n>',
      'run one static partition, counted from 0 (default: PARTITION_INDEX and TOTAL_PARTITIONS, or a share of the slots)',
    )
    .option('--concurrency <number>', 'actions at a time', '32')
    .option('--until-idle', 'exit when no reaction, due message or action is left')
    .option('--quiet', 'print no messages')
    .addHelpText(
      'after',
      `
Examples:
  seine runner --module order.ts                         share the slots with other runners
  seine runner --module order.ts --partition 0/3         one partition; a second process stands by
  seine runner --workflow order --until-idle             process pending work, then exit

SIGTERM or Ctrl-C drains: running work is finished or released, and other runners continue.
Exit codes: 0 success · 1 cannot continue (the workflow was rescaled, …) · 2 usage error`,
    );
  return withCommonOptions(command).action(async ({ concurrency, ...flags }: RunnerFlags) => {
    const { chooseProjections, chooseWorkflows } = await import('../../workflows/load-modules.ts');
    const { runRunner } = await import('../../workflows/run-runner.ts');
    const config = configOf(flags);
    const partition = parsePartitionOption(flags.partition, process.env);
    const actionsAtOnce = parseWholeNumber('--concurrency', concurrency, 32, 1, 10_000);
    const workflows = await chooseWorkflows(config, flags, flags.workflow);
    await runRunner(config, {
      workflows,
      projections: await chooseProjections(config, flags, workflows),
      partition,
      actionsAtOnce,
      untilIdle: flags.untilIdle === true,
      quiet: flags.quiet === true,
      json: flags.json === true,
    });
    exit(EXIT.done);
  });
}
