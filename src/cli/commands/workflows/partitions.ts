import { Command, Option } from 'commander';
import { type CommonFlags, collect, withCommonOptions } from '../../options.ts';
import type { ScaleFlags, StartFlags, StatusFlags } from '../../workflows/partitions.ts';

/** Every subcommand is one function of `cli/workflows/partitions.ts`, loaded when it runs. */
export function partitionsCommand(): Command {
  const command = new Command('partitions')
    .description('how the events of workflows are shared among runners: look, start, scale')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES);
  for (const sub of [statusCommand(), startCommand(), scaleCommand(), rebaseCommand()])
    command.addCommand(withCommonOptions(sub).helpOption('-h, --help', 'show this help').exitOverride());
  return command;
}

const verbs = () => import('../../workflows/partitions.ts');

function statusCommand(): Command {
  return new Command('status')
    .description('who reads which part, how far they are, how much waits')
    .option('--workflow <name>', 'of one workflow')
    .addHelpText(
      'after',
      '\nWAITING and EVENTS/MIN are counted up to a limit, 10,000 events of a reader: beyond that there are at least so many.',
    )
    .action(async (flags: StatusFlags) => (await verbs()).showStatus(flags));
}

function startCommand(): Command {
  return new Command('start')
    .description('start and supervise a runner for each partition, on this machine')
    .requiredOption('--total <number>', 'how many partitions')
    .option('--workflow <name>', 'only this one (repeatable; default: all that the files export)', collect)
    .option('--module <file>', 'where its code is (repeatable), as for seine runner', collect)
    .option('--concurrency <number>', 'actions at a time, of each runner')
    .addHelpText(
      'after',
      `
Examples:
  seine partitions start --workflow order --total 3 --module order.ts

Runners that die are started again. When somebody scales the workflow, all end in order and the new number starts.
SIGTERM or Ctrl-C ends them all.`,
    )
    .action(async (flags: StartFlags) => (await verbs()).start(flags));
}

function scaleCommand(): Command {
  return new Command('scale')
    .description('share a workflow in another number of partitions, or in slots')
    .option('--workflow <name>', 'which workflow (repeatable: all of them or none)', collect)
    .addOption(new Option('--all', 'every workflow that has been read').conflicts('workflow'))
    .requiredOption('--from <number>', 'how many partitions there are now, or slots')
    .requiredOption('--to <number>', 'how many there shall be, or slots')
    .option('--stop', 'stop the readers that run; without it they are named, and nothing is changed')
    .addOption(new Option('--stop-running', 'the same').implies({ stop: true }).hideHelp())
    .addHelpText(
      'after',
      `
Examples:
  seine partitions scale --workflow order --from 3 --to 5
  seine partitions scale --workflow order --workflow shipment --from 3 --to 5
  seine partitions scale --all --from 5 --to slots --stop

No event is skipped: the new readers begin where the slowest of the old ones stood, and what was reacted to is not reacted to
again. An attempt that broke off can be repeated. Several workflows change in one transaction: if one cannot be changed, none is.`,
    )
    .action(async (flags: ScaleFlags) => (await verbs()).scale(flags));
}

function rebaseCommand(): Command {
  return new Command('rebase')
    .description('make a log readable that was restored from another database cluster')
    .addHelpText(
      'after',
      `
Needed once after a restore, and only if seine partitions status or seine runner says so. All runners must be stopped.`,
    )
    .action(async (flags: CommonFlags) => (await verbs()).rebase(flags));
}

const EXAMPLES = `
Examples:
  seine partitions status
  seine partitions start --workflow order --total 3 --module order.ts
  seine partitions scale --workflow order --from 3 --to 5`;
