import { Command } from 'commander';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import { withCommonOptions } from '../options.ts';
import type { FileFlags } from '../suppressions/files.ts';
import type { ListFlags } from '../suppressions/list.ts';

/** What each subcommand does is in `cli/suppressions`, loaded when it runs. */
export function suppressionsCommand(exit: SetExitCode): Command {
  const command = new Command('suppressions')
    .description('manage suppressions: owner, reason, expiry and hits')
    .helpCommand(false);
  const lists = () => import('../suppressions/list.ts');
  const files = () => import('../suppressions/files.ts');
  command.addCommand(
    verb('list', 'list suppressions in force')
      .option('--all', 'include expired and removed ones')
      .action(async (flags: ListFlags) => (await lists()).listAll(flags)),
  );
  command.addCommand(
    verb('show', 'show one suppression and its latest hits')
      .argument('<id>', 'number of the suppression')
      .action(async (id: string, flags: ListFlags) => (await lists()).showOne(id, flags)),
  );
  command.addCommand(
    verb('remove', 'remove suppressions; their findings are reported again')
      .argument('<ids...>', 'numbers of suppressions')
      .action(async (ids: string[], flags: ListFlags) => (await lists()).removeSome(ids, flags)),
  );
  command.addCommand(
    verb('unused', 'list suppressions without a hit in the last scans of their source')
      .option('--scans <number>', 'number of scans to check', '3')
      .option('--fail', 'exit with 3 if there are any')
      .action(async (flags: ListFlags) => {
        if ((await (await lists()).listUnused(flags)) && flags.fail) exit(EXIT.findings);
      }),
  );
  command.addCommand(
    verb('export', 'export suppressions in force; values as keyed hashes only')
      .option('-o, --output <file>', 'write to a file instead of standard output')
      .action(async (flags: FileFlags) => (await files()).exportAll(flags)),
  );
  command.addCommand(
    verb('import', 'import an exported file or a .gitleaksignore')
      .argument('<file>', 'file to import')
      .option('--owner <name>', 'owner of the entries of a .gitleaksignore')
      .option('--reason <text>', 'why they are suppressed (default: the name of the file)')
      .option('--until <date-or-span>', 'expiry: 2027-01-31, 90d')
      .option('--source <target>', 'only in this source')
      .option('--dry-run', 'print what would be added, change nothing')
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
