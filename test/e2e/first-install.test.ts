/** A copy of the repository without packages, installed with the real npm, as a user's first start does it. Needs the package registry. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawText, pngOf } from '../../src/extraction/documents/pictures/picture.fixture.ts';
import { temporaryFolder } from '../support/database.ts';
import { CHECKOUT } from '../support/seine.ts';

const folder = temporaryFolder();
const home = join(folder, 'installation');
const components = join(home, 'components');
const NOBODY = 65534;
/** Node and PostgreSQL are 250 of them. */
const MAX_MEGABYTES = 330;

let first: { code: number | null; stdout: string; stderr: string };
beforeAll(async () => {
  for (const name of ['seine', 'package.json', 'package-lock.json', 'src', 'components']) {
    const filter = (path: string) => basename(path) !== 'node_modules';
    cpSync(join(CHECKOUT, name), join(home, name), { recursive: true, filter });
  }
  first = await launch(['--version']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** The launcher. npm's cache and settings are those of the user who runs the tests. */
function launch(args: readonly string[], more: { env?: Record<string, string>; uid?: number } = {}) {
  const { CI: _, npm_config_omit: __, ...rest } = process.env;
  const { env, uid } = more;
  const child = spawn(join(home, 'seine'), args, {
    cwd: folder,
    env: { ...rest, SEINE_DATA: join(folder, 'data'), SEINE_CALLED: 'seine', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
    });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...said }));
  });
}

describe('the first start', () => {
  it('installs what every scan needs, and stays small', () => {
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('installed in') });
    for (const name of ['tesseract.js', '@azure', '@google-cloud', 'vitest', 'hyparquet-writer'])
      expect({ name, isThere: existsSync(join(home, 'node_modules', name)) }).toEqual({
        name,
        isThere: name === 'hyparquet-writer',
      });
    const { stdout } = spawnSync('du', ['-sm', home], { encoding: 'utf8' });
    expect(Number.parseInt(stdout, 10)).toBeLessThan(MAX_MEGABYTES);
  });
});

describe('an optional component', () => {
  it('is installed on first use, once, also for a reader process in its sandbox', async () => {
    const [picture, rules] = [join(folder, 'card.png'), join(folder, 'rules.yaml')];
    writeFileSync(picture, pngOf(drawText(['CARD 4111 1111 1111 1111'], 4)));
    writeFileSync(rules, 'reading:\n  ocr: true\n');
    const inspect = () => launch(['inspect', picture, '--rules', rules, '--json']);
    const both = await Promise.all([inspect(), inspect()]);
    for (const { code, stdout } of both) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ outcome: 'scanned', tier: expect.any(String) });
    }
    const said = both.map(({ stderr }) => stderr).join('');
    expect(said.match(/Installing ocr: OCR .* once/g)).toHaveLength(1);
    expect(said.match(/Installed ocr in \d+ s\./g)).toHaveLength(1);
    expect((await inspect()).stderr).toBe('');
  });

  it('that cannot be downloaded names the command to run beforehand', async () => {
    const cache = join(folder, 'empty-cache');
    const env = { npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: cache };
    const ended = await launch(['scan', 'gs://bucket'], { env });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('gcs could not be installed: the package registry cannot be reached.');
    expect(ended.stderr).toContain('seine install gcs');
    expect(existsSync(join(components, 'gcs/node_modules'))).toBe(false);
  });

  it('is not installed into a folder that cannot be written: who can do it is said', async () => {
    const asRoot = process.getuid?.() === 0;
    if (!asRoot) chmodSync(join(components, 'gcs'), 0o555);
    const env = { HOME: join(folder, 'nobody') };
    mkdirSync(env.HOME);
    const ended = await launch(['install', 'gcs'], { env, ...(asRoot && { uid: NOBODY }) });
    if (!asRoot) chmodSync(join(components, 'gcs'), 0o755);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(`gcs is not installed, and ${join(components, 'gcs')} cannot be written.`);
    expect(ended.stderr).toContain('Run once as the owner of that folder');
  });

  it('can be installed beforehand, and doctor tells what is there', async () => {
    const before = await launch(['doctor']);
    expect(before.stdout).toMatch(/components +ocr installed, azure not installed, gcs not installed\n/);
    expect(before.stdout).toContain('seine install azure gcs');
    const ended = await launch(['install', 'ocr', 'gcs']);
    expect(ended).toMatchObject({ code: 0, stdout: 'ocr: already installed\ngcs: installed\n' });
    expect((await launch(['install', 'nothing'])).code).toBe(2);
  });
});
