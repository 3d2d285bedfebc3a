/** Event-sourced workflows on partitioned runners: what they cost and what scaling does to them, beside DBOS and emmett on the same server. */
import type { Benchmark } from '../benchmark.ts';
import { installCompetitors } from '../competitors.ts';
import { measureLogs } from '../workflows/appends.ts';
import { measureCommands } from '../workflows/commands.ts';
import { measureHot } from '../workflows/hot.ts';
import { measureLatency } from '../workflows/latency.ts';
import { measureRescaling } from '../workflows/rescaling.ts';
import { measureRowsRead } from '../workflows/rows-read.ts';
import { measureSizes } from '../workflows/sizes.ts';
import { openStage, type Stage } from '../workflows/stage.ts';
import { measureTakeovers } from '../workflows/takeovers.ts';

const PARTS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  appends: measureLogs,
  commands: measureCommands,
  hot: measureHot,
  latency: measureLatency,
  rows: measureRowsRead,
  rescaling: measureRescaling,
  takeovers: measureTakeovers,
  sizes: measureSizes,
};

/** These compare with others, which must be there. */
const WITH_COMPETITORS = ['appends', 'commands'];

export const workflows: Benchmark = {
  name: 'workflows',
  about: 'events, commands and reactions a second against DBOS and emmett; scaling, takeover, memory',
  async run(bench) {
    const parts = Object.keys(PARTS).filter((name) => bench.only.length === 0 || bench.only.includes(name));
    if (parts.some((name) => WITH_COMPETITORS.includes(name)))
      installCompetitors('workflows', (line) => bench.log(`  ${line}`));
    const stage = await openStage(bench);
    try {
      for (const name of parts) await PARTS[name]!(stage);
    } finally {
      await stage.close();
    }
  },
};
