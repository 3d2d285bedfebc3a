/** A process that runs what is queued in DBOS: `node dbos-process.ts URL`. See dbos.ts. */
import { installedDbos, QUEUE } from './dbos.ts';

const { DBOS } = installedDbos()!;
DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: process.argv[2]!,
  systemDatabasePoolSize: 20,
  applicationVersion: '1',
  logLevel: 'error',
  enableOTLP: false,
});
DBOS.registerWorkflow(async () => {}, { name: 'no action' });
DBOS.registerWorkflow(() => DBOS.runStep(async () => {}, { name: 'work' }), { name: 'an action' });
process.once('SIGTERM', async () => {
  await DBOS.shutdown();
  process.exit(0);
});
await DBOS.launch();
await DBOS.registerQueue(QUEUE, { workerConcurrency: 500, minPollingIntervalMs: 50 });
process.stdout.write('ready\n');
