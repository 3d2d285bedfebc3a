import { foreignCode } from './cli/foreign-code.ts';
import { runCli } from './cli/run.ts';

process.exitCode = await runCli(process.argv.slice(2));
if (foreignCode.isLoaded) process.exit(); // everything of ours is closed and written
