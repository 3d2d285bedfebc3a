/**
 * `node scripts/lock-components.mjs`: writes `components/NAME/package-lock.json` with the versions of the main lock file. Run it after every
 * change of package-lock.json; `scripts/components.test.ts` fails if they differ.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

for (const { name } of readdirSync(join(root, 'components'), { withFileTypes: true })) {
  const cwd = join(root, 'components', name);
  // npm keeps the versions that it finds in a lock file, and removes what the package.json beside it does not need.
  copyFileSync(join(root, 'package-lock.json'), join(cwd, 'package-lock.json'));
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(1);
}
