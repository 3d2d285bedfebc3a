import { Command, Option } from 'commander';
import { EXIT, type SetExitCode } from '../../exit-code.ts';
import { type CommonFlags, collect, withCommonOptions } from '../../options.ts';
import type { ArchiveFlags, PurgeFlags } from '../../workflows/archive.ts';
import type { ControlFlags, SignalFlags } from '../../workflows/control.ts';
import type { RebuildFlags } from '../../workflows/projections.ts';
import type { QueryFlags } from '../../workflows/queries.ts';
import type { ReplayFlags } from '../../workflows/replay.ts';

/** Every subcommand is one function of a file in `cli/workflows`, loaded when it runs. */
export function workflowsCommand(exit: SetExitCode): Command {
  const command = new Command('workflows')
    .description('workflows: look at them, steer them, ask them, send them commands')
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
  const look = () => import('../../workflows/queries.ts');
  const list = new Command('list')
    .description('one line each, those that began last first')
    .option('--workflow <name>', 'of one kind')
    .addOption(
      new Option('--status <status>', 'in one status').choices([
        'running',
        'paused',
        'completed',
        'cancelled',
        'parked',
      ]),
    )
    .option('--where <condition>', "by their attributes, like status = 'open' and amount > 1000")
    .option('--after <key>', 'go on after the one with this KEY')
    .option('--limit <number>', 'how many', '50')
    .action(async (flags: QueryFlags) => (await look()).listAll(flags));
  const show = named('show', 'where it stands, what it waits for, its last events')
    .option('--limit <number>', 'how many events', '10')
    .action(async (name: string, id: string, flags: QueryFlags) => (await look()).showOne(name, id, flags));
  const events = named('events', 'what happened to it, in order')
    .option('--after <version>', 'those after this version', '0')
    .option('--limit <number>', 'how many', '100')
    .action(async (name: string, id: string, flags: QueryFlags) =>
      (await look()).listEvents(name, id, flags),
    );
  return [list, show, events];
}

const CONTROL_HELP = {
  pause: 'let it rest: no reactions, no new actions, no messages; commands are turned down',
  resume: 'let it go on: what was held back is delivered, and reactions catch up',
  cancel: 'end it for good, with its open actions, timers and subscriptions',
};

function controlCommand(verb: keyof typeof CONTROL_HELP): Command {
  return named(verb, CONTROL_HELP[verb])
    .option('--reason <text>', 'written into its story')
    .action(async (name: string, id: string, flags: ControlFlags) => {
      const { control } = await import('../../workflows/control.ts');
      await control(verb, name, id, flags);
    });
}

function parkedCommands(): Command[] {
  const parked = new Command('parked')
    .description('what failed too often and waits for somebody: reactions and messages, with their errors')
    .argument('[name]', 'of one kind of workflow')
    .argument('[id]', 'of one workflow')
    .option('--limit <number>', 'how many', '100')
    .action(async (name: string | undefined, id: string | undefined, flags: QueryFlags) => {
      const { listParked } = await import('../../workflows/queries.ts');
      await listParked(name, id, flags);
    });
  const retry = new Command('retry')
    .description('try again what is parked: of one workflow, or of all of a kind')
    .argument('<name>', 'which kind of workflow: order')
    .argument('[id]', 'which one (default: all that are parked)')
    .action(async (name: string, id: string | undefined, flags: CommonFlags) => {
      const verbs = await import('../../workflows/control.ts');
      await verbs.retry(name, id, flags);
    });
  return [parked, retry];
}

function replayCommands(exit: SetExitCode): Command[] {
  const verbs = () => import('../../workflows/replay.ts');
  const replay = withModule(named('replay', 'its state, now or after one of its events'))
    .option('--version <number>', 'after this many events (default: now)')
    .action(async (name: string, id: string, flags: ReplayFlags) =>
      (await verbs()).replayOne(name, id, flags),
    );
  const simulate = withModule(named('simulate', 'what a command would do now; nothing is written'))
    .argument('<command>', 'as JSON')
    .addHelpText('after', '\nExit codes: 0 it would be accepted · 1 it would be rejected · 2 wrong usage')
    .action(async (name: string, id: string, text: string, flags: ReplayFlags) => {
      if (!(await (await verbs()).simulateOne(name, id, text, flags))) exit(EXIT.error);
    });
  const send = withModule(named('send', 'send it a command, which it decides on here and now'))
    .argument('<command>', 'as JSON')
    .option('--command-id <id>', 'sent again under the same id, it has no second effect')
    .addHelpText('after', '\nExit codes: 0 accepted · 1 rejected, or the workflow is paused · 2 wrong usage')
    .action(async (name: string, id: string, text: string, flags: ReplayFlags) => {
      if (!(await (await verbs()).sendOne(name, id, text, flags))) exit(EXIT.error);
    });
  return [replay, simulate, send];
}

function signalCommand(): Command {
  return named('signal', 'leave it a command, which runners deliver; needs no code')
    .argument('<command>', 'as JSON')
    .option('--command-id <id>', 'delivered again under the same id, it has no second effect')
    .addOption(new Option('--at <time>', 'not before, like 2025-01-31T12:00:00Z').conflicts('after'))
    .option('--after <time>', 'not before so much time has passed, like 30m')
    .action(async (name: string, id: string, text: string, flags: SignalFlags) => {
      const { signal } = await import('../../workflows/control.ts');
      await signal(name, id, text, flags);
    });
}

function archiveCommand(): Command {
  return new Command('archive')
    .description(
      'write old events to a file, and delete them: of workflows that ended, or before a new beginning',
    )
    .requiredOption('--older-than <age>', 'that ended, or began anew, so long ago, like 90d')
    .option('--workflow <name>', 'of one kind')
    .option('--output <file>', 'where to, one event a line as JSON; an existing file is added to')
    .option('--delete', 'delete what was written from the database')
    .option('--dry-run', 'only count')
    .addHelpText(
      'after',
      `
Examples:
  seine workflows archive --older-than 90d --dry-run
  seine workflows archive --older-than 90d --output events.jsonl --delete

Events that a reader has not passed, that were not reacted to, or whose workflow waits for something stay. Interrupted, it can be
repeated: a line that stands twice in the file has the same workflow, id and version.`,
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
    .requiredOption('--older-than <age>', 'that ended so long ago, like 180d')
    .option('--workflow <name>', 'of one kind')
    .option('--output <file>', 'write their events to this file first, one a line as JSON')
    .option('--dry-run', 'only count')
    .addHelpText(
      'after',
      `
Examples:
  seine workflows purge --older-than 180d --dry-run
  seine workflows purge --older-than 180d --output events.jsonl

Their ids stay taken, and the ids of their commands are kept until retention.command_ids of the configuration. Workflows that a reader
has not read, that were not reacted to, or that a message is on its way to stay. Interrupted, it can be repeated. With
retention.ended_workflows workers and runners do it by themselves.`,
    )
    .action(async (flags: PurgeFlags) => {
      const { purge } = await import('../../workflows/archive.ts');
      await purge(flags);
    });
}

function projectionsCommand(): Command {
  const command = new Command('projections')
    .description('read models that runners update from events: look, rebuild, resume, remove')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Examples:
  seine workflows projections list
  seine workflows projections resume order-totals     after the cause of its error was corrected
  seine workflows projections rebuild order-totals    empty it, and apply every event once more`,
    );
  const verbs = () => import('../../workflows/projections.ts');
  const one = (verb: string, description: string) =>
    new Command(verb).description(description).argument('<name>', 'which projection');
  const subs = [
    new Command('list')
      .description('state, events that wait, who updates it, the error that stopped it')
      .action(async (flags: CommonFlags) => (await verbs()).listProjections(flags)),
    one('rebuild', 'reset it, and apply all events from the beginning; runners do the work')
      .option('--incomplete', 'also when events were archived: what followed from them is lost')
      .action(async (name: string, flags: RebuildFlags) => (await verbs()).rebuild(name, flags)),
    one('resume', 'try the event again at which it is parked').action(
      async (name: string, flags: CommonFlags) => (await verbs()).resume(name, flags),
    ),
    one(
      'remove',
      'forget where it stands, so that it keeps no event from the archive; its tables stay',
    ).action(async (name: string, flags: CommonFlags) => (await verbs()).remove(name, flags)),
  ];
  for (const sub of subs)
    command.addCommand(withCommonOptions(sub).helpOption('-h, --help', 'show this help').exitOverride());
  return command;
}

function named(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<name>', 'which kind of workflow: order')
    .argument('<id>', 'which one: order-42');
}

function withModule(command: Command): Command {
  return command.option(
    '--module <file>',
    'where its code is (repeatable; default: SEINE_WORKFLOWS, or workflows: of the configuration)',
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
  seine workflows retry order                              everything of it that is parked`;
