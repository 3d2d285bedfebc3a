import { Command } from 'commander';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import type { HooksFlags } from '../hooks/hooks.ts';
import { withCommonOptions } from '../options.ts';

/** Every subcommand is one function of `cli/hooks/hooks.ts`, loaded when it runs. */
export function hooksCommand(exit: SetExitCode): Command {
  const command = new Command('hooks')
    .description('webhooks and exports of scans that have ended: which wait, and running them')
    .helpCommand(false);
  const verbs = () => import('../hooks/hooks.ts');
  command.addCommand(
    withCommonOptions(new Command('list').description('hooks that wait, or all of one scan'))
      .argument('[scan]', 'number of the scan (default: what waits, of all scans)')
      .action(async (scan: string | undefined, flags: HooksFlags) => (await verbs()).listHooks(scan, flags)),
  );
  command.addCommand(
    withCommonOptions(new Command('run').description('run those of a scan that wait, and wait for their end'))
      .argument('<scan>', 'number of the scan')
      .option(
        '--here',
        'write exports to a folder of this machine instead of the one where the scan was started',
      )
      .option('--quiet', 'do not say what is waited for')
      .addHelpText(
        'after',
        `
A folder belongs to the machine, or the container, where the scan was started, and is written there. If that is gone, take the
export over: with --here it is written to the folder of the same name on this machine. What the other one still does is not counted.`,
      )
      .action(async (scan: string, flags: HooksFlags) => {
        if (!(await (await verbs()).runHooks(scan, flags))) exit(EXIT.error);
      }),
  );
  return command;
}
