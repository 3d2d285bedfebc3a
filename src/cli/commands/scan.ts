import { Command } from 'commander';
import type { SetExitCode } from '../exit-code.ts';
import { type CommonFlags, collect, configOf, packOption, withCommonOptions } from '../options.ts';
import { type ResultFlags, withResultOptions } from '../results/result-options.ts';
import type { RequestFlags } from '../scans/scan-request.ts';

type ScanFlags = CommonFlags & ResultFlags & RequestFlags & { readonly wait?: boolean };

export function scanCommand(exit: SetExitCode): Command {
  const command = new Command('scan')
    .description('scan a folder, a file or a bucket for sensitive data')
    .argument(
      '<target>',
      'folder or file, s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://ACCOUNT/CONTAINER/PREFIX',
    )
    .option('--include <glob>', 'only matching paths; repeatable', collect)
    .option('--exclude <glob>', 'exclude matching paths; repeatable', collect)
    .option('--no-ignore-files', "don't use .seineignore files")
    .option('--max-size <size>', 'skip larger files, such as 100MB (they count as skipped)')
    .option('--modified-since <date>', 'only objects modified since a date or age, such as 2025-01-31 or 30d')
    .option('--sample <percent>', 'scan a sample of the objects; the same ones each time')
    .option(
      '--rules <file>',
      'rule set (YAML): detectors, custom detectors, thresholds, paths, columns, policies',
    )
    .addOption(packOption('only the detectors of a pack; repeatable'))
    .option('--full', 'read everything, including objects unchanged since the last scan')
    .option(
      '--max-findings <number>',
      'maximum findings kept for each object and type; counts stay exact',
      '1000',
    )
    .option(
      '--budget <limits>',
      "pause the scan when a limit is reached: 'requests=2M, bytes=500GB, cost=$40, time=6h'",
    )
    .option('--priority <number>', 'scans with a higher priority run first (default 0)')
    .option('--webhook <url>', 'POST a summary to this URL when the scan ends; repeatable', collect)
    .option(
      '--export <target>',
      'write all findings to a folder or bucket, TARGET[:parquet|jsonl]; repeatable',
      collect,
    )
    .option('--wait', 'in distributed mode: wait for the scan to end and show the report');
  return withResultOptions(withCommonOptions(command)).action(async (target: string, flags: ScanFlags) => {
    const { scanRequest } = await import('../scans/scan-request.ts');
    const { startScan } = await import('../../scans/lifecycle/start-scan.ts');
    const { chooseBaseline } = await import('../baselines/choose.ts');
    const { readScan } = await import('../../scans/lifecycle/scan-store.ts');
    const { NameMasker } = await import('../../scans/names/name-masker.ts');
    const config = configOf(flags);
    const request = await scanRequest(target, flags, config);
    const { scanExecutor } = await import('../scans/scan-executor.ts');
    const executeScan = await scanExecutor(config, flags);
    const code = await executeScan(config, flags, async (app, jobs) => {
      await chooseBaseline(app, flags); // fails now, not after the scan
      const names = new NameMasker(app.secret, request.rules);
      const id = await startScan(app.db, jobs, { ...request, names });
      return (await readScan(app.db, id))!;
    });
    exit(code);
  });
}
