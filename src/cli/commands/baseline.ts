import { Command, Option } from 'commander';
import type { BaselineFlags } from '../baselines/baselines.ts';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import { withCommonOptions } from '../options.ts';
import { FAIL_ON } from '../output/differences.ts';

/** What each subcommand does is in `cli/baselines`, loaded when it runs. */
export function baselineCommand(exit: SetExitCode): Command {
  const command = new Command('baseline')
    .description('manage baselines: named sets of known findings that later scans are compared with')
    .helpCommand(false);
  const verbs = () => import('../baselines/baselines.ts');
  command.addCommand(
    verb('create', 'create a baseline from an ended scan')
      .argument('<name>', 'name of the baseline')
      .option('--scan <scan>', 'number of the scan (default: the newest that has ended)')
      .option('--replace', 'replace a baseline of the same name')
      .action(async (name: string, flags: BaselineFlags) => (await verbs()).create(name, flags)),
  );
  command.addCommand(
    verb('diff', 'show new, gone and moved findings of a scan')
      .argument('<name>', 'name of the baseline')
      .argument('[scan]', 'number of the scan (default: the newest that has ended)')
      .option('--limit <number>', 'maximum differences shown (default 200; --json shows all)')
      .addOption(
        new Option('--fail-on <change>', 'exit with 3 if there is a change of this kind').choices(FAIL_ON),
      )
      .action(async (name: string, scan: string | undefined, flags: BaselineFlags) => {
        if (await (await verbs()).diff(name, scan, flags)) exit(EXIT.findings);
      }),
  );
  command.addCommand(
    verb('list', 'list baselines').action(async (flags: BaselineFlags) => (await verbs()).list(flags)),
  );
  command.addCommand(
    verb('remove', 'delete a baseline')
      .argument('<name>', 'name of the baseline')
      .action(async (name: string, flags: BaselineFlags) => (await verbs()).remove(name, flags)),
  );
  command.addCommand(
    verb('export', 'export for seine scan --baseline-file; values as keyed hashes only')
      .argument('<name>', 'name of the baseline')
      .option('-o, --output <file>', 'write to a file instead of standard output')
      .action(async (name: string, flags: BaselineFlags) => (await verbs()).exportOne(name, flags)),
  );
  return command;
}

function verb(name: string, description: string): Command {
  return withCommonOptions(new Command(name).description(description)).helpOption(
    '-h, --help',
    'show this help',
  );
}
