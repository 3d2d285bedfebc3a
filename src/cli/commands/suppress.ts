import { Command } from 'commander';
import { withCommonOptions, withOldSpelling } from '../options.ts';
import type { SuppressFlags } from '../suppressions/add.ts';

export function suppressCommand(): Command {
  const command = new Command('suppress')
    .description('suppress a known finding from the next scan on')
    .argument('[finding]', 'id of the finding, as shown by seine findings: 12-873-0')
    .option('--reason <text>', 'why the finding is suppressed')
    .option('--owner <name>', 'person or team responsible')
    .option('--until <date-or-span>', 'expiry: 2027-01-31 (inclusive), 90d, 12w, 6m, 1y')
    .option(
      '--this-object-only',
      'only in the object of the finding (default: suppress the value in all objects)',
    )
    .option('--path <glob>', 'only in these paths; with --detector: all values in them')
    .option('--detector <id>', 'with --path, instead of a finding: the detector, such as EMAIL')
    .option('--source <target>', 'only in this source');
  withOldSpelling(command, '--here', '--this-object-only');
  return withCommonOptions(command).action(async (handle: string | undefined, flags: SuppressFlags) => {
    const { addSuppression } = await import('../suppressions/add.ts');
    await addSuppression(handle, flags);
  });
}
