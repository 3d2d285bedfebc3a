import { Command } from 'commander';
import { type CommonFlags, withCommonOptions } from '../options.ts';

export function workersCommand(): Command {
  const command = new Command('workers')
    .description('the workers that are registered: what they hold, how fast they are, when they were seen')
    .addHelpText(
      'after',
      `
OBJECTS, BYTES and WAITS (for the rate limit) are averages since the worker started.`,
    );
  return withCommonOptions(command).action(async (flags: CommonFlags) => {
    const { withApp } = await import('../with-app.ts');
    const { workerLines } = await import('../../scans/monitor/worker-lines.ts');
    const { workerTable } = await import('../output/live/tables.ts');
    const { lookOf } = await import('../output/look.ts');
    await withApp(flags, async ({ db, config }) => {
      const workers = await workerLines(db, config.tenant, config.staleMs);
      if (flags.json) process.stdout.write(workers.map((worker) => `${JSON.stringify(worker)}\n`).join(''));
      else if (workers.length === 0) process.stderr.write('No worker is registered.\n');
      else process.stdout.write(workerTable(workers, lookOf(process.stdout, process.env, flags)));
    });
  });
}
