import { Command, Option } from 'commander';
import { type CommonFlags, collect, withCommonOptions } from '../../options.ts';
import type { ScaleFlags, StartFlags, StatusFlags } from '../../workflows/partitions.ts';

/** Each subcommand is one function of `cli/workflows/partitions.ts`, imported when it runs. */
export function partitionsCommand(): Command {
  const command = new Command('partitions')
    .description('show and change how workflow events are partitioned among runners')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES);
  const add = (sub: Command, options: { readonly hidden?: boolean } = {}) =>
    command.addCommand(
      withCommonOptions(sub).helpOption('-h, --help', 'show this help').exitOverride(),
      options,
    );
  for (const sub of [statusCommand(), startCommand(), scaleCommand(), repairLogCommand('repair-log')])
    add(sub);
  add(repairLogCommand('rebase'), { hidden: true }); // old spelling
  return command;
}

const verbs = () => import('../../workflows/partitions.ts');

function statusCommand(): Command {
  return new Command('status')
    .description('show readers, offsets and lag')
    .option('--workflow <name>', 'only this workflow')
    .addHelpText(
      'after',
      '\nWAITING and EVENTS/MIN are counted up to 10,000 events for each reader; a larger number is shown as that limit.',
    )
    .action(async (flags: StatusFlags) => (await verbs()).showStatus(flags));
}

function startCommand(): Command {
  return new Command('start')
    .description('start and supervise a runner for each partition, on this machine')
    .requiredOption('--total <number>', 'number of partitions')
    .option(
      '--workflow <name>',
      'only this workflow (repeatable; default: all that the modules export)',
      collect,
    )
    .option('--module <file>', 'module with the workflow code (repeatable), as for seine runner', collect)
    .option('--concurrency <number>', 'actions at a time, for each runner')
    .addHelpText(
      'after',
      `
Examples:
  seine partitions start --workflow order --total 3 --module order.ts

Crashed runners are restarted. When the workflow is rescaled, all runners drain and the new number is started.
SIGTERM or Ctrl-C stops them all.`,
    )
    .action(async (flags: StartFlags) => (await verbs()).start(flags));
}

function scaleCommand(): Command {
  return new Command('scale')
    .description('change the number of partitions of a workflow, or switch to slots')
    .option('--workflow <name>', 'workflow to scale (repeatable; all are changed or none)', collect)
    .addOption(new Option('--all', 'every workflow that has been read').conflicts('workflow'))
    .requiredOption('--from <number>', 'current number of partitions, or slots')
    .requiredOption('--to <number>', 'new number of partitions, or slots')
    .option('--stop', 'fence off running readers (default: list them and fail)')
    .addOption(new Option('--stop-running', 'old name of --stop').implies({ stop: true }).hideHelp())
    .addHelpText(
      'after',
      `
Examples:
  seine partitions scale --workflow order --from 3 --to 5
  seine partitions scale --workflow order --workflow shipment --from 3 --to 5
  seine partitions scale --all --from 5 --to slots --stop

No event is skipped: the new readers start at the lowest offset of the old ones, and reactions that have run do not run
again. An interrupted attempt can be repeated. Several workflows change in one transaction: if one cannot be changed, none is.`,
    )
    .action(async (flags: ScaleFlags) => (await verbs()).scale(flags));
}

function repairLogCommand(name: string): Command {
  return new Command(name)
    .description('renumber a log restored from another database cluster')
    .addHelpText(
      'after',
      `
Needed once after a restore, and only if seine partitions status or seine runner asks for it. All runners must be stopped.`,
    )
    .action(async (flags: CommonFlags) => (await verbs()).repairLog(flags));
}

const EXAMPLES = `
Examples:
  seine partitions status
  seine partitions start --workflow order --total 3 --module order.ts
  seine partitions scale --workflow order --from 3 --to 5`;
