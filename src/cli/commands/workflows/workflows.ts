import { Command, Option } from 'commander';
import { EXIT, type SetExitCode } from '../../exit-code.ts';
import { type CommonFlags, collect, withCommonOptions } from '../../options.ts';
import type { ArchiveFlags, PurgeFlags } from '../../workflows/archive.ts';
import type { ControlFlags, SignalFlags } from '../../workflows/control.ts';
import type { RebuildFlags } from '../../workflows/projections.ts';
import type { QueryFlags } from '../../workflows/queries.ts';
import type { ReplayFlags } from '../../workflows/replay.ts';

/** Each subcommand is one function of a file in `cli/workflows`, imported when it runs. */
export function workflowsCommand(exit: SetExitCode): Command {
  const command = new Command('workflows')
    .description('inspect, control and command workflows')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES);
  const subs = [
    ...queryCommands(),
    ...(['pause', 'resume', 'cancel'] as const).map(controlCommand),
    ...parkedCommands(),
    ...replayCommands(exit),
    signalCommand(),
    archiveCommand(),
    purgeCommand(),
  ];
  for (const sub of subs)
    command.addCommand(withCommonOptions(sub).helpOption('-h, --help', 'show this help').exitOverride());
  const projections = projectionsCommand(); // its subcommands have the common options
  command.addCommand(projections.helpOption('-h, --help', 'show this help').exitOverride());
  return command;
}

function queryCommands(): Command[] {
  const queries = () => import('../../workflows/queries.ts');
  const list = new Command('list')
    .description('list workflows, newest first')
    .option('--workflow <name>', 'only of this type')
    .addOption(
      new Option('--status <status>', 'only in this status').choices([
        'running',
        'paused',
        'completed',
        'cancelled',
        'parked',
      ]),
    )
    .option('--where <condition>', "filter by attributes, such as status = 'open' and amount > 1000")
    .option('--after <key>', 'continue after this KEY')
    .option('--limit <number>', 'maximum number listed', '50')
    .action(async (flags: QueryFlags) => (await queries()).listAll(flags));
  const show = named('show', 'show the state of a workflow, its pending work and latest events')
    .option('--limit <number>', 'maximum number of events', '10')
    .action(async (name: string, id: string, flags: QueryFlags) =>
      (await queries()).showOne(name, id, flags),
    );
  const events = named('events', 'list the events of a workflow in order')
    .option('--after <version>', 'only events after this version', '0')
    .option('--limit <number>', 'maximum number listed', '100')
    .action(async (name: string, id: string, flags: QueryFlags) =>
      (await queries()).listEvents(name, id, flags),
    );
  return [list, show, events];
}

const CONTROL_HELP = {
  pause: 'pause it: no reactions, actions or messages; commands are rejected',
  resume: 'resume it: held messages are delivered and reactions catch up',
  cancel: 'cancel it, including its open actions, timers and subscriptions',
};

function controlCommand(verb: keyof typeof CONTROL_HELP): Command {
  return named(verb, CONTROL_HELP[verb])
    .option('--reason <text>', 'reason, stored in the history of the workflow')
    .action(async (name: string, id: string, flags: ControlFlags) => {
      const { control } = await import('../../workflows/control.ts');
      await control(verb, name, id, flags);
    });
}

function parkedCommands(): Command[] {
  const parked = new Command('parked')
    .description('list parked reactions and messages')
    .argument('[name]', 'only of this workflow type')
    .argument('[id]', 'only of this workflow')
    .option('--limit <number>', 'maximum number listed', '100')
    .action(async (name: string | undefined, id: string | undefined, flags: QueryFlags) => {
      const { listParked } = await import('../../workflows/queries.ts');
      await listParked(name, id, flags);
    });
  const retry = new Command('retry')
    .description('retry parked reactions and messages of one workflow, or of all of a type')
    .argument('<name>', 'workflow type, such as order')
    .argument('[id]', 'workflow id (default: all parked ones)')
    .action(async (name: string, id: string | undefined, flags: CommonFlags) => {
      const verbs = await import('../../workflows/control.ts');
      await verbs.retry(name, id, flags);
    });
  return [parked, retry];
}

function replayCommands(exit: SetExitCode): Command[] {
  const verbs = () => import('../../workflows/replay.ts');
  const replay = withModule(named('replay', 'print the state of a workflow, now or after one of its events'))
    .option('--version <number>', 'state after this many events (default: all)')
    .action(async (name: string, id: string, flags: ReplayFlags) =>
      (await verbs()).replayOne(name, id, flags),
    );
  const simulate = withModule(named('simulate', 'show what a command would do; nothing is written'))
    .argument('<command>', 'command as JSON')
    .addHelpText('after', '\nExit codes: 0 would be accepted · 1 would be rejected · 2 usage error')
    .action(async (name: string, id: string, text: string, flags: ReplayFlags) => {
      if (!(await (await verbs()).simulateOne(name, id, text, flags))) exit(EXIT.error);
    });
  const send = withModule(named('send', 'send a command to a workflow and wait for its decision'))
    .argument('<command>', 'command as JSON')
    .option('--command-id <id>', 'idempotency key: sending the same id again has no effect')
    .addHelpText('after', '\nExit codes: 0 accepted · 1 rejected, or the workflow is paused · 2 usage error')
    .action(async (name: string, id: string, text: string, flags: ReplayFlags) => {
      if (!(await (await verbs()).sendOne(name, id, text, flags))) exit(EXIT.error);
    });
  return [replay, simulate, send];
}

function signalCommand(): Command {
  return named('signal', 'queue a command for delivery by a runner')
    .argument('<command>', 'command as JSON')
    .option('--command-id <id>', 'idempotency key: delivering the same id again has no effect')
    .addOption(
      new Option('--at <time>', 'deliver at this time or later: 2025-01-31T12:00:00Z').conflicts('after'),
    )
    .option('--after <time>', 'deliver after this delay, such as 30m')
    .action(async (name: string, id: string, text: string, flags: SignalFlags) => {
      const { signal } = await import('../../workflows/control.ts');
      await signal(name, id, text, flags);
    });
}

function archiveCommand(): Command {
  return new Command('archive')
    .description('write old events to a file, and delete them: of ended workflows, or before continueAsNew')
    .requiredOption('--older-than <age>', 'ended, or continued as new, at least this long ago, such as 90d')
    .option('--workflow <name>', 'only of this type')
    .option('--output <file>', 'file for the events, as JSON lines; an existing file is appended to')
    .option('--delete', 'delete the written events from the database')
    .option('--dry-run', 'only count, write nothing')
    .addHelpText(
      'after',
      `
Examples:
  seine workflows archive --older-than 90d --dry-run
  seine workflows archive --older-than 90d --output events.jsonl --delete

Events stay if a reader has not passed them, no reaction has run for them, or their workflow has pending work. The command can be
interrupted and repeated: a line written twice has the same workflow, id and version.`,
    )
    .action(async (flags: ArchiveFlags) => {
      const { archive } = await import('../../workflows/archive.ts');
      await archive(flags);
    });
}

function purgeCommand(): Command {
  return new Command('purge')
    .description(
      'delete workflows that ended long ago: events, actions with inputs and results, dead letters',
    )
    .requiredOption('--older-than <age>', 'ended at least this long ago, such as 180d')
    .option('--workflow <name>', 'only of this type')
    .option('--output <file>', 'write their events to this file first, as JSON lines')
    .option('--dry-run', 'only count, write nothing')
    .addHelpText(
      'after',
      `
Examples:
  seine workflows purge --older-than 180d --dry-run
  seine workflows purge --older-than 180d --output events.jsonl

Their ids stay reserved; the ids of their commands are kept for the time set by retention.command_ids. Workflows with unread events,
pending reactions or messages in transit are not purged. The command can be interrupted and repeated. With
retention.ended_workflows, workers and runners purge automatically.`,
    )
    .action(async (flags: PurgeFlags) => {
      const { purge } = await import('../../workflows/archive.ts');
      await purge(flags);
    });
}

function projectionsCommand(): Command {
  const command = new Command('projections')
    .description('list, rebuild, resume and remove projections (read models that runners update from events)')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Examples:
  seine workflows projections list
  seine workflows projections resume order-totals     after the cause of its error was fixed
  seine workflows projections rebuild order-totals    empty it and apply every event again`,
    );
  const verbs = () => import('../../workflows/projections.ts');
  const one = (verb: string, description: string) =>
    new Command(verb).description(description).argument('<name>', 'name of the projection');
  const subs = [
    new Command('list')
      .description('list projections: state, lag, runner, error')
      .action(async (flags: CommonFlags) => (await verbs()).listProjections(flags)),
    one('rebuild', 'reset it; runners then apply all events from the beginning')
      .option('--incomplete', 'rebuild even if events were archived; their effects are lost')
      .action(async (name: string, flags: RebuildFlags) => (await verbs()).rebuild(name, flags)),
    one('resume', 'retry the event at which it is parked').action(async (name: string, flags: CommonFlags) =>
      (await verbs()).resume(name, flags),
    ),
    one('remove', 'delete its offset, so that it no longer blocks archiving; its tables stay').action(
      async (name: string, flags: CommonFlags) => (await verbs()).remove(name, flags),
    ),
  ];
  for (const sub of subs)
    command.addCommand(withCommonOptions(sub).helpOption('-h, --help', 'show this help').exitOverride());
  return command;
}

function named(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<name>', 'workflow type, such as order')
    .argument('<id>', 'workflow id, such as order-42');
}

function withModule(command: Command): Command {
  return command.option(
    '--module <file>',
    'module with the workflow code (repeatable; default: SEINE_WORKFLOWS, or setting workflows)',
    collect,
  );
}

const EXAMPLES = `
Examples:
  seine workflows list --workflow order --status parked
  seine workflows list --workflow order --where 'status == "open" and amount > 1000'
  seine workflows show order order-42
  seine workflows simulate order order-42 '{"type":"cancel"}' --module order.ts
  seine workflows signal order order-42 '{"type":"approve"}' --after 30m
  seine workflows retry order                              all parked orders`;
