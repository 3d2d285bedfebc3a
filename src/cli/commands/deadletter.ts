import { Command, Option } from 'commander';
import type { DeadLetterFlags } from '../dead-letters.ts';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import { withCommonOptions, withOldSpelling } from '../options.ts';

/** Each subcommand is one function of `cli/dead-letters.ts`, imported when it runs. */
export function deadLetterCommand(exit: SetExitCode): Command {
  const command = new Command('deadletter')
    .description('list, retry or purge objects, shards, jobs and actions that failed permanently')
    .helpCommand(false);
  const verbs = () => import('../dead-letters.ts');
  command.addCommand(
    withSelection('list', 'list dead letters')
      .option('--limit <number>', 'maximum number listed', '100')
      .action(async (ids: string[], flags: DeadLetterFlags) => (await verbs()).listDeadLetters(ids, flags)),
  );
  command.addCommand(
    withCommonOptions(new Command('show').description('show one dead letter in full'))
      .argument('<id>', 'number of the dead letter')
      .action(async (id: string, flags: DeadLetterFlags) => (await verbs()).showDeadLetter(id, flags)),
  );
  command.addCommand(
    withSelection('analyze', 'group dead letters by cause, most frequent first').action(
      async (ids: string[], flags: DeadLetterFlags) => (await verbs()).analyzeDeadLetters(ids, flags),
    ),
  );
  command.addCommand(
    withConfirmation('retry', 'retry; reopens a scan that has ended').action(
      async (ids: string[], flags: DeadLetterFlags) => {
        if (!(await (await verbs()).retryDeadLetters(ids, flags))) exit(EXIT.error);
      },
    ),
  );
  command.addCommand(
    withConfirmation('purge', 'delete them; their objects still count as failed').action(
      async (ids: string[], flags: DeadLetterFlags) => (await verbs()).purgeDeadLetters(ids, flags),
    ),
  );
  command.addCommand(
    withSelection('export', 'export as JSON lines')
      .option('--output <file>', 'write to a file instead of standard output')
      .action(async (ids: string[], flags: DeadLetterFlags) => (await verbs()).exportDeadLetters(ids, flags)),
  );
  return command;
}

/** A subcommand that selects dead letters by id or by filters. */
function withSelection(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .argument('[ids...]', 'numbers of dead letters (default: all that match)')
    .option('--scan <scan>', 'only of this scan')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(['object', 'shard', 'job', 'action']))
    .option('--error-group <text>', 'only if the cause contains this text')
    .addOption(
      new Option('--state <state>', 'only in this state')
        .choices(['open', 'retrying', 'resolved', 'all'])
        .default('open'),
    );
  withOldSpelling(command, '--signature', '--error-group');
  return withCommonOptions(command).helpOption('-h, --help', 'show this help');
}

/** A subcommand that changes something: it prints the count first and needs a confirmation or `--yes`. */
function withConfirmation(name: string, description: string): Command {
  return withSelection(name, description)
    .option('--dry-run', 'print the number, change nothing')
    .option('--yes', 'do not ask for confirmation');
}
