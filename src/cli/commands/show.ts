import { Command } from 'commander';
import { type CommonFlags, withCommonOptions } from '../options.ts';

export function showCommand(): Command {
  const command = new Command('show')
    .description('the report of a scan')
    .argument('[scan]', 'number of the scan (default: the newest that has ended)');
  return withCommonOptions(command).action(async (id: string | undefined, flags: CommonFlags) => {
    const { chooseScan, withApp } = await import('../with-app.ts');
    const { readReport } = await import('../../scans/report-store.ts');
    const { reportJson } = await import('../output/report-json.ts');
    const { renderReport } = await import('../output/terminal.ts');
    const { lookOf } = await import('../output/look.ts');
    await withApp(flags, async (app) => {
      const report = await readReport(app.db, await chooseScan(app, id));
      process.stdout.write(
        flags.json
          ? `${JSON.stringify(reportJson(report), null, 2)}\n`
          : renderReport(report, lookOf(process.stdout, process.env, flags)),
      );
    });
  });
}
