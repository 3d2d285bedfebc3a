import { Command } from 'commander';
import { type CommonFlags, withCommonOptions } from '../options.ts';

export function workersCommand(): Command {
  const command = new Command('workers')
    .description('list registered workers: their shards, throughput and last heartbeat')
    .addHelpText(
      'after',
      `
OBJECTS, BYTES and WAITS (for the rate limit) are averages since the worker started.`,
    );
  return withCommonOptions(command).action(async (flags: CommonFlags) => {
    const { withApp } = await import('../with-app.ts');
    const { listWorkerSummaries } = await import('../../scans/monitor/worker-summaries.ts');
    const { workerTable } = await import('../output/live/tables.ts');
    const { detectTerminalStyle } = await import('../output/terminal-style.ts');
    await withApp(flags, async ({ db, config }) => {
      const workers = await listWorkerSummaries(db, config.tenant, config.staleMs);
      if (flags.json) process.stdout.write(workers.map((worker) => `${JSON.stringify(worker)}\n`).join(''));
      else if (workers.length === 0) process.stderr.write('No registered workers.\n');
      else
        process.stdout.write(workerTable(workers, detectTerminalStyle(process.stdout, process.env, flags)));
    });
  });
}
