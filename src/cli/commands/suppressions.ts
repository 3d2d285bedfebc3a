import { Command } from 'commander';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import { withCommonOptions } from '../options.ts';
import type { FileFlags } from '../suppressions/files.ts';
import type { ListFlags } from '../suppressions/list.ts';

/** What each subcommand does is in `cli/suppressions`, loaded when it runs. */
export function suppressionsCommand(exit: SetExitCode): Command {
  const command = new Command('suppressions')
    .description('what is accepted: by whom, why, until when, and whether it is still of use')
    .helpCommand(false);
  const lists = () => import('../suppressions/list.ts');
  const files = () => import('../suppressions/files.ts');
  command.addCommand(
    verb('list', 'one line each')
      .option('--all', 'also those that have expired or were taken back')
      .action(async (flags: ListFlags) => (await lists()).listAll(flags)),
  );
  command.addCommand(
    verb('show', 'everything about one, and where it was last of use')
      .argument('<id>', 'number of the suppression')
      .action(async (id: string, flags: ListFlags) => (await lists()).showOne(id, flags)),
  );
  command.addCommand(
    verb('remove', 'take them back: what they accepted is reported again')
      .argument('<ids...>', 'numbers of suppressions')
      .action(async (ids: string[], flags: ListFlags) => (await lists()).removeSome(ids, flags)),
  );
  command.addCommand(
    verb('unused', 'those without a hit in the last scans of their source')
      .option('--scans <number>', 'how many scans', '3')
      .option('--fail', 'exit with 3 when there are some')
      .action(async (flags: ListFlags) => {
        if ((await (await lists()).listUnused(flags)) && flags.fail) exit(EXIT.findings);
      }),
  );
  command.addCommand(
    verb('export', 'those in force as a file, values as keyed hashes only')
      .option('-o, --output <file>', 'into a file instead of the standard output')
      .action(async (flags: FileFlags) => (await files()).exportAll(flags)),
  );
  command.addCommand(
    verb('import', 'from such a file, or from a .gitleaksignore')
      .argument('<file>', 'the file')
      .option('--owner <name>', 'who answers for the lines of a .gitleaksignore')
      .option('--reason <text>', 'why they are accepted (default: the name of the file)')
      .option('--until <date-or-span>', 'until when: 2027-01-31, 90d')
      .option('--source <target>', 'only in this source')
      .option('--dry-run', 'only say what would be added')
      .action(async (file: string, flags: FileFlags) => (await files()).importFile(file, flags)),
  );
  return command;
}

function verb(name: string, description: string): Command {
  return withCommonOptions(new Command(name).description(description)).helpOption(
    '-h, --help',
    'show this help',
  );
}
