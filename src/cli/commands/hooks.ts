import { Command } from 'commander';
import { EXIT, type SetExitCode } from '../exit-code.ts';
import type { HooksFlags } from '../hooks/hooks.ts';
import { withCommonOptions, withOldSpelling } from '../options.ts';

/** Each subcommand is one function of `cli/hooks/hooks.ts`, imported when it runs. */
export function hooksCommand(exit: SetExitCode): Command {
  const command = new Command('hooks')
    .description('list and run pending webhooks and exports of ended scans')
    .helpCommand(false);
  const verbs = () => import('../hooks/hooks.ts');
  command.addCommand(
    withCommonOptions(new Command('list').description('list pending hooks, or all hooks of a scan'))
      .argument('[scan]', 'number of the scan (default: pending hooks of all scans)')
      .action(async (scan: string | undefined, flags: HooksFlags) => (await verbs()).listHooks(scan, flags)),
  );
  const run = withCommonOptions(
    new Command('run').description('run the pending hooks of a scan and wait for them'),
  )
    .argument('<scan>', 'number of the scan')
    .option(
      '--on-this-host',
      'write exports to a folder on this host, not on the one where the scan was started',
    )
    .option('--quiet', 'print no progress')
    .addHelpText(
      'after',
      `
A folder export is written on the host (or in the container) where the scan was started. If that host is gone, pass
--on-this-host: the export is written to the folder of the same name on this host. Results of the other host are then ignored.`,
    )
    .action(async (scan: string, flags: HooksFlags) => {
      if (!(await (await verbs()).runHooks(scan, flags))) exit(EXIT.error);
    });
  command.addCommand(withOldSpelling(run, '--here', '--on-this-host'));
  return command;
}
