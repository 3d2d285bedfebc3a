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
    .description('run workflows, together with all other runners of the database')
    .option('--workflow <name>', 'only this one (repeatable; default: all that the files export)', collect)
    .option(
      '--module <file>',
      'where its code is (repeatable; default: SEINE_WORKFLOWS, or workflows: of the configuration)',
      collect,
    )
    .option(
      '--partition <i/n>',
      'one fixed partition, counted from 0 (default: PARTITION_INDEX and TOTAL_PARTITIONS, or a share of the slots)',
    )
    .option('--concurrency <number>', 'actions at a time', '32')
    .option('--until-idle', 'end when nothing is left to react to, to deliver now or to run')
    .option('--quiet', 'say nothing')
    .addHelpText(
      'after',
      `
Examples:
  seine runner --module order.ts                         join the others, take a share, give it back at the end
  seine runner --module order.ts --partition 0/3         one partition a process; a second one stands by
  seine runner --workflow order --until-idle             what there is to do now, and no more

SIGTERM or Ctrl-C drains: what is under way is finished or given back, and others go on there.
Exit codes: 0 ended in order · 1 it could not go on (the workflow was scaled, …) · 2 wrong usage`,
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
