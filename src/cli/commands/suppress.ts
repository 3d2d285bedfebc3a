import { Command } from 'commander';
import { withCommonOptions } from '../options.ts';
import type { SuppressFlags } from '../suppressions/add.ts';

export function suppressCommand(): Command {
  const command = new Command('suppress')
    .description('accept a finding that is known: it is counted apart from the next scan on')
    .argument('[finding]', 'its handle, as seine findings shows it: 12-873-0')
    .option('--reason <text>', 'why it is accepted')
    .option('--owner <name>', 'who answers for it')
    .option('--until <date-or-span>', 'until when: 2027-01-31 (that day included), 90d, 12w, 6m, 1y')
    .option('--here', 'only in the object in which it was found; else the value is accepted wherever it lies')
    .option('--path <glob>', 'only in these paths; with --detector: any value in them')
    .option('--detector <id>', 'with --path and without a finding: which detector, such as EMAIL')
    .option('--source <target>', 'only in this source');
  return withCommonOptions(command).action(async (handle: string | undefined, flags: SuppressFlags) => {
    const { addSuppression } = await import('../suppressions/add.ts');
    await addSuppression(handle, flags);
  });
}
