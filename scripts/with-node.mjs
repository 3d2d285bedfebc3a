/** `node scripts/with-node.mjs FILE [ARGUMENT…]`: runs it with the Node that came with the packages, or this one if it is new enough. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const own = ['x64', 'arm64']
  .map((cpu) => join(home, `node_modules/node-linux-${cpu}/bin/node`))
  .find((path) => existsSync(path));
const isNew = Number.parseInt(process.versions.node, 10) >= 24;
if (!own && !isNew) {
  process.stderr.write(`Node.js 24 or newer is needed; this is ${process.version}. Try: npm install\n`);
  process.exit(1);
}
const [file, ...rest] = process.argv.slice(2);
const args = ['--disable-warning=ExperimentalWarning', join(home, file), ...rest];
const { status } = spawnSync(own ?? process.execPath, args, { stdio: 'inherit' });
process.exit(status ?? 1);
