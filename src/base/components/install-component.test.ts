/** In an installation whose npm is a script that writes what it was started with. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isInstalled, STAMP } from './component.ts';
import { installComponent } from './install-component.ts';

const path = process.env.PATH;
let installation: string;
let folder: string;
let said: string[];
beforeEach(() => {
  installation = mkdtempSync(join(tmpdir(), 'seine-components-'));
  folder = join(installation, 'components/gcs');
  said = [];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"dependencies":{"storage":"1.0.0"}}');
  writeFileSync(join(folder, 'package-lock.json'), '{"lockfileVersion":3}');
  mkdirSync(join(installation, 'bin'));
  process.env.PATH = `${join(installation, 'bin')}${delimiter}${path}`;
  npm('mkdir -p node_modules/storage');
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(installation, { recursive: true });
});

function npm(script: string): void {
  const file = join(installation, 'bin/npm');
  writeFileSync(file, `#!/bin/sh\necho "$PWD $*" >>'${installation}/calls'\n${script}\n`);
  chmodSync(file, 0o755);
}

function calls(): string[] {
  const file = join(installation, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

const install = () => installComponent('gcs', { installation, report: (line) => said.push(line) });

describe('a component', () => {
  it('is installed from its lock file, without scripts, and only once', async () => {
    expect(isInstalled('gcs', installation)).toBe(false);
    expect(await install()).toBe(true);
    expect(isInstalled('gcs', installation)).toBe(true);
    expect(await install()).toBe(false);
    expect(calls()).toEqual([
      expect.stringMatching(/\/components\/gcs\/\.install-\w+ ci --ignore-scripts --loglevel=error /),
    ]);
    expect(said).toEqual([
      expect.stringMatching(/^Installing gcs: .* MB on disk; once/),
      expect.stringMatching(/^Installed gcs in \d+ s/),
    ]);
    expect(readdirSync(folder).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
  });

  it('is installed again when its lock file has changed, and the old packages are gone', async () => {
    await install();
    writeFileSync(join(folder, 'package-lock.json'), '{"lockfileVersion":3,"newer":true}');
    expect(isInstalled('gcs', installation)).toBe(false);
    npm('mkdir -p node_modules/storage-2');
    await install();
    expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual([STAMP, 'storage-2']);
  });

  it('is installed where all its packages are there in the right version, as in a development installation', () => {
    const storage = join(installation, 'node_modules/storage');
    mkdirSync(storage, { recursive: true });
    writeFileSync(join(storage, 'package.json'), '{"version":"0.9.0"}');
    expect(isInstalled('gcs', installation)).toBe(false);
    writeFileSync(join(storage, 'package.json'), '{"version":"1.0.0"}');
    expect(isInstalled('gcs', installation)).toBe(true);
    // Packages in the component's own folder would be loaded instead of these.
    mkdirSync(join(folder, 'node_modules'));
    expect(isInstalled('gcs', installation)).toBe(false);
  });

  it('is downloaded by one of several processes; the others wait', async () => {
    expect((await Promise.all([install(), install(), install()])).sort()).toEqual([false, false, true]);
    expect(calls()).toHaveLength(1);
    expect(said.filter((line) => line.startsWith('Another process is installing gcs'))).toHaveLength(2);
  });

  it('is installed although a process died that was installing it', async () => {
    for (const left of ['install.lock', '.install-left']) {
      mkdirSync(join(folder, left));
      utimesSync(join(folder, left), new Date(0), new Date(0));
    }
    expect(await install()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
  });

  it('is installed at once when the process that was installing it was killed on this host, and what it left is removed', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']); // has ended
    for (const left of ['install.lock', '.install-left']) {
      mkdirSync(join(folder, left));
      writeFileSync(join(folder, left, 'owner'), `${pid} ${hostname()}`);
    }
    expect(await install()).toBe(true);
    expect(said).toEqual([expect.stringMatching(/^Installing/), expect.stringMatching(/^Installed/)]); // not: waiting
    expect(readdirSync(folder).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves nothing when the process gets %s', async (signal) => {
    npm('echo $$ >pid; sleep 60');
    const script = `import { installComponent } from ${JSON.stringify(join(import.meta.dirname, 'install-component.ts'))};
      await installComponent('gcs', { installation: ${JSON.stringify(installation)} });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    await vi.waitUntil(() => existsSync(join(installation, 'calls')), { timeout: 20_000 });
    child.kill(signal);
    expect(await ended).toEqual([signal === 'SIGINT' ? 130 : 143, null]);
    expect(readdirSync(folder).filter((name) => name.startsWith('.install-'))).toEqual([]);
    npm('mkdir -p node_modules/storage');
    expect(await install()).toBe(true);
    expect(said.filter((line) => line.startsWith('Another'))).toEqual([]);
  });

  it.each([
    [
      'ENOTFOUND registry.npmjs.org',
      'the package registry cannot be reached',
      /seine install gcs on a machine/,
    ],
    [
      'ENOSPC: no space left on device',
      'the disk is full',
      /^Free some space, then run: .*seine install gcs$/,
    ],
    ['EROFS: read-only file system', 'cannot be written', /as the owner/],
    ['EINTEGRITY sha512-x', 'differs from the committed checksum', /registry/],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'a certificate is not trusted', /NODE_EXTRA_CA_CERTS/],
    ['something else', 'something else', /^Try again: .*seine install gcs$/],
  ])('that fails with %s is not there at all, and the next step is named', async (message, why, hint) => {
    npm(`mkdir node_modules; echo 'npm error ${message}' >&2; exit 1`);
    await expect(install()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining(why),
      hint: expect.stringMatching(hint),
    });
    expect(readdirSync(folder).sort()).toEqual(['package-lock.json', 'package.json']);
    npm('mkdir -p node_modules/storage');
    expect(await install()).toBe(true);
  });

  it('is not installed without npm', async () => {
    rmSync(join(installation, 'bin/npm'));
    process.env.PATH = join(installation, 'bin');
    await expect(install()).rejects.toMatchObject({ message: expect.stringContaining('npm is missing') });
  });

  it('is not installed into a folder that cannot be written, or is missing', async () => {
    rmSync(folder, { recursive: true });
    await expect(install()).rejects.toMatchObject({
      kind: 'permission',
      message: `gcs is not installed, and ${folder} cannot be written.`,
      hint: expect.stringContaining('seine install gcs'),
    });
    expect(calls()).toEqual([]);
  });
});
