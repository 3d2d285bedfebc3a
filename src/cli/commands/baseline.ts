import { Command, Option } from 'commander';
import type { BaselineFlags } from '../baselines/baselines.ts';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import { withCommonOptions } from '../options.ts';
import { FAIL_ON } from '../output/differences.ts';

/** What each subcommand does is in `cli/baselines`, loaded when it runs. */
export function baselineCommand(exit: SetExitCode): Command {
  const command = new Command('baseline')
    .description('named sets of known findings: later scans report only what is new against one')
    .helpCommand(false);
  const verbs = () => import('../baselines/baselines.ts');
  command.addCommand(
    verb('create', 'of a scan that has ended')
      .argument('<name>', 'what to call it')
      .option('--scan <scan>', 'number of the scan (default: the newest that has ended)')
      .option('--replace', 'in the place of one of the same name')
      .action(async (name: string, flags: BaselineFlags) => (await verbs()).create(name, flags)),
  );
  command.addCommand(
    verb('diff', 'what is new, gone and moved in a scan')
      .argument('<name>', 'the baseline')
      .argument('[scan]', 'number of the scan (default: the newest that has ended)')
      .option('--limit <number>', 'differences shown (default 200; --json shows all)')
      .addOption(new Option('--fail-on <change>', 'exit with 3 when there is such a change').choices(FAIL_ON))
      .action(async (name: string, scan: string | undefined, flags: BaselineFlags) => {
        if (await (await verbs()).diff(name, scan, flags)) exit(EXIT.findings);
      }),
  );
  command.addCommand(
    verb('list', 'one line each').action(async (flags: BaselineFlags) => (await verbs()).list(flags)),
  );
  command.addCommand(
    verb('remove', 'forget one')
      .argument('<name>', 'the baseline')
      .action(async (name: string, flags: BaselineFlags) => (await verbs()).remove(name, flags)),
  );
  command.addCommand(
    verb('export', 'as a file for seine scan --baseline-file, values as keyed hashes only')
      .argument('<name>', 'the baseline')
      .option('-o, --output <file>', 'into a file instead of the standard output')
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
