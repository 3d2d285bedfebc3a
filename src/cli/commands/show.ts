import { Command } from 'commander';
import { type CommonFlags, withCommonOptions } from '../options.ts';
import { type OutputFlags, withOutputOptions } from '../results/result-options.ts';

interface ShowFlags extends CommonFlags, OutputFlags {}

export function showCommand(): Command {
  const command = new Command('show')
    .description('show the report of a scan, or write it to files')
    .argument('[scan]', 'number of the scan (default: the newest that has ended)');
  return withOutputOptions(withCommonOptions(command)).action(
    async (id: string | undefined, flags: ShowFlags) => {
      const { chooseScan, withApp } = await import('../with-app.ts');
      const { outputsOf } = await import('../results/result-options.ts');
      const { showResult } = await import('../results/show-result.ts');
      const outputs = outputsOf(flags);
      const { warnAboutWaitingHooks } = await import('../hooks/waiting-hooks.ts');
      await withApp(flags, async (app) => {
        const scan = await chooseScan(app, id, flags);
        await showResult(app, scan, flags, outputs);
        if (!flags.quiet) await warnAboutWaitingHooks(app, flags, scan.id);
      });
    },
  );
}
