import { Command, Option } from 'commander';
import type { DeadLetterFlags } from '../dead-letters.ts';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import { withCommonOptions } from '../options.ts';

/** Every subcommand is one function of `cli/dead-letters.ts`, loaded when it runs. */
export function deadLetterCommand(exit: SetExitCode): Command {
  const command = new Command('deadletter')
    .description(
      'objects, shards, jobs and actions that failed for good: look at them, try them again, put them away',
    )
    .helpCommand(false);
  const verbs = () => import('../dead-letters.ts');
  command.addCommand(
    withSelection('list', 'one line each')
      .option('--limit <number>', 'how many', '100')
      .action(async (ids: string[], flags: DeadLetterFlags) => (await verbs()).listDeadLetters(ids, flags)),
  );
  command.addCommand(
    withCommonOptions(new Command('show').description('everything that is known about one'))
      .argument('<id>', 'number of the dead letter')
      .action(async (id: string, flags: DeadLetterFlags) => (await verbs()).showDeadLetter(id, flags)),
  );
  command.addCommand(
    withSelection('analyze', 'equal causes together, the most frequent first').action(
      async (ids: string[], flags: DeadLetterFlags) => (await verbs()).analyzeDeadLetters(ids, flags),
    ),
  );
  command.addCommand(
    withConfirmation(
      'retry',
      'try them again; a scan that had ended is opened once more and ends again',
    ).action(async (ids: string[], flags: DeadLetterFlags) => {
      if (!(await (await verbs()).retryDeadLetters(ids, flags))) exit(EXIT.error);
    }),
  );
  command.addCommand(
    withConfirmation('purge', 'forget them; their objects stay in the coverage as not looked at').action(
      async (ids: string[], flags: DeadLetterFlags) => (await verbs()).purgeDeadLetters(ids, flags),
    ),
  );
  command.addCommand(
    withSelection('export', 'as JSON, one a line')
      .option('--output <file>', 'into a file instead of the standard output')
      .action(async (ids: string[], flags: DeadLetterFlags) => (await verbs()).exportDeadLetters(ids, flags)),
  );
  return command;
}

/** A subcommand for many letters, chosen by number or by what they have in common. */
function withSelection(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .argument('[ids...]', 'numbers of dead letters (default: all that match)')
    .option('--scan <scan>', 'of one scan')
    .addOption(new Option('--kind <kind>', 'of one kind').choices(['object', 'shard', 'job', 'action']))
    .option('--signature <text>', 'whose cause contains this text')
    .addOption(
      new Option('--state <state>', 'in which state')
        .choices(['open', 'retrying', 'resolved', 'all'])
        .default('open'),
    );
  return withCommonOptions(command).helpOption('-h, --help', 'show this help');
}

/** One that changes something: it says what it would do, and does it when it is told so. */
function withConfirmation(name: string, description: string): Command {
  return withSelection(name, description)
    .option('--dry-run', 'only say how many there are')
    .option('--yes', 'do it without asking');
}
