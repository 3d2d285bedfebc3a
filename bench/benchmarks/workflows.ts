/** Event-sourced workflows on partitioned runners: what they cost and what scaling does to them, beside DBOS and emmett on the same server. */
import type { Benchmark } from '../benchmark.ts';
import { installRivals } from '../rivals.ts';
import { measureLogs } from '../workflows/appends.ts';
import { measureCommands } from '../workflows/commands.ts';
import { measureLatency } from '../workflows/latency.ts';
import { measureRescaling } from '../workflows/rescaling.ts';
import { measureRowsRead } from '../workflows/rows-read.ts';
import { measureSizes } from '../workflows/sizes.ts';
import { openStage, type Stage } from '../workflows/stage.ts';
import { measureTakeovers } from '../workflows/takeovers.ts';

const PARTS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  appends: measureLogs,
  commands: measureCommands,
  latency: measureLatency,
  rows: measureRowsRead,
  rescaling: measureRescaling,
  takeovers: measureTakeovers,
  sizes: measureSizes,
};

export const workflows: Benchmark = {
  name: 'workflows',
  about: 'events, commands and reactions a second against DBOS and emmett; scaling, takeover, memory',
  async run(bench) {
    installRivals('workflows', (line) => bench.say(`  ${line}`));
    const stage = await openStage(bench);
    try {
      for (const [name, measure] of Object.entries(PARTS))
        if (bench.only.length === 0 || bench.only.includes(name)) await measure(stage);
    } finally {
      await stage.close();
    }
  },
};
