import { Command } from 'commander';
import { parseWholeNumber } from '../../config.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';
import { suggestCommand } from '../suggest-command.ts';

interface ScansFlags extends CommonFlags {
  readonly limit: string;
}

export function scansCommand(): Command {
  const command = new Command('scans')
    .description('list scans, newest first')
    .option('--limit <number>', 'maximum number listed', '20');
  return withCommonOptions(command).action(async (flags: ScansFlags) => {
    const { withApp } = await import('../with-app.ts');
    const { listScanOverviews } = await import('../../scans/results/scan-overviews.ts');
    const { table } = await import('../output/table.ts');
    const { warnAboutWaitingHooks } = await import('../hooks/waiting-hooks.ts');
    const { groupDigits, humanSeconds } = await import('../output/quantities.ts');
    await withApp(flags, async (app) => {
      const limit = parseWholeNumber('--limit', flags.limit, 20, 1, 10_000);
      const scans = await listScanOverviews(app.db, app.config.tenant, limit);
      if (flags.json)
        return void process.stdout.write(scans.map((scan) => `${JSON.stringify(scan)}\n`).join(''));
      if (scans.length === 0)
        return void process.stderr.write(
          `No scans yet. Start one with: ${suggestCommand(['scan', 'FOLDER'], flags)}\n`,
        );
      const rows = scans.map((scan) => [
        String(scan.id),
        scan.status,
        scan.createdAt.toISOString().slice(0, 16).replace('T', ' '),
        humanSeconds(scan.seconds),
        groupDigits(scan.objects),
        groupDigits(scan.findings),
        scan.source,
      ]);
      const head = ['SCAN', 'STATUS', 'BEGUN (UTC)', 'TIME', 'OBJECTS', 'FINDINGS', 'SOURCE'];
      process.stdout.write(
        table(['right', 'left', 'left', 'right', 'right', 'right', 'left'], [head, ...rows]),
      );
      await warnAboutWaitingHooks(app, flags, null);
    });
  });
}
