/**
 * `node scripts/with-node.mjs [--dev] FILE [ARGUMENT…]`: runs it with the Node that came with the packages, or this one if it is new enough.
 * Installs the packages first; with --dev those for development, too.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, findNode, ROOT } from './installation.mjs';

const args = process.argv.slice(2);
const dev = args[0] === '--dev';
const [file, ...rest] = dev ? args.slice(1) : args;
try {
  ensureInstalled({ dev, say: (line) => process.stderr.write(`Seine: ${line}\n`) });
  const words = ['--disable-warning=ExperimentalWarning', join(ROOT, file), ...rest];
  const { status } = spawnSync(findNode(), words, { stdio: 'inherit' });
  process.exit(status ?? 1);
} catch (error) {
  process.stderr.write(`Seine: ${error.message}\n`);
  process.exit(1);
}
