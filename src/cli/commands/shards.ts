import { Command, Option } from 'commander';
import { parseWholeNumber } from '../../config.ts';
import { SHARD_STATES, type ShardState } from '../../scans/monitor/shard-summaries.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';
import { suggestCommand } from '../suggest-command.ts';

interface ShardsFlags extends CommonFlags {
  readonly state?: ShardState;
  readonly limit: string;
}

export function shardsCommand(): Command {
  const command = new Command('shards')
    .description('list the shards of a scan: range, progress, worker, error')
    .argument('[scan]', 'number of the scan (default: the newest that has not ended, else the newest)')
    .addOption(new Option('--state <state>', 'only in this state').choices(SHARD_STATES))
    .option('--limit <number>', 'maximum number listed', '50');
  return withCommonOptions(command).action(async (id: string | undefined, flags: ShardsFlags) => {
    const { withApp } = await import('../with-app.ts');
    const { listShardSummaries } = await import('../../scans/monitor/shard-summaries.ts');
    const { chooseScanToWatch } = await import('../output/live/monitor-scan.ts');
    const { shardTable } = await import('../output/live/tables.ts');
    const { detectTerminalStyle } = await import('../output/terminal-style.ts');
    const limit = parseWholeNumber('--limit', flags.limit, 50, 1, 1_000_000);
    await withApp(flags, async (app) => {
      const scan = await chooseScanToWatch(app, id, flags);
      const states = flags.state === undefined ? SHARD_STATES : [flags.state];
      const { shards, total } = await listShardSummaries(app.db, scan, states, limit);
      if (flags.json)
        return void process.stdout.write(shards.map((shard) => `${JSON.stringify(shard)}\n`).join(''));
      if (shards.length === 0) return void process.stderr.write(`No matching shards in scan ${scan}.\n`);
      process.stdout.write(shardTable(shards, detectTerminalStyle(process.stdout, process.env, flags)));
      if (shards.length === total) return;
      const which = flags.state === undefined ? [] : ['--state', flags.state];
      const all = suggestCommand(['shards', String(scan), ...which, '--limit', String(total)], flags);
      process.stderr.write(`${shards.length} of ${total} shards; list all: ${all}\n`);
    });
  });
}
