import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Config } from '../../config.ts';
import { chooseProjections, chooseWorkflows, moduleFiles } from './load-modules.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-modules-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const parts = 'initial: () => 0, decide: () => [], evolve: () => 0, version: 1, snapshotEvery: 100';
const two = file(
  'two.mjs',
  `export const a = { name: 'a', ${parts} }; export const b = { name: 'b', ${parts} };
   export const again = a; export default 'no workflow'; export const half = { name: 'half', decide: () => [] };`,
);
const other = file('other.mjs', `export const a = { name: 'a', ${parts} };`);
const empty = file('empty.mjs', 'export const nothing = 1;');
const broken = file('broken.mjs', `throw new Error('out of order');`);

const configured = (...workflows: string[]) => ({ workflows }) as unknown as Config;
const choose = (module: string[], names?: string[], config = configured()) =>
  chooseWorkflows(config, { module }, names, {});

describe('the workflows of files', () => {
  it('are all that they export, and nothing else', async () => {
    expect((await choose([two])).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('are chosen by name, each once', async () => {
    expect((await choose([two], ['b', 'b'])).map(({ name }) => name)).toEqual(['b']);
  });

  it.each([
    ['there is no file', () => choose([]), 'No workflow modules configured'],
    ['the file is missing', () => choose([join(folder, 'none.ts')]), 'No such file'],
    ['a folder is named', () => choose([folder]), 'No such file'],
    ['the file exports none', () => choose([empty]), 'exports no workflow'],
    ['the file breaks off', () => choose([broken]), 'could not be loaded: out of order'],
    ['two have the same name', () => choose([two, other]), 'Two workflows are named a'],
    ['the name is of none', () => choose([two], ['c']), 'No workflow c'],
  ])('are refused with a sentence when %s', async (_, choosing, sentence) => {
    await expect(choosing()).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(sentence),
      hint: expect.any(String),
    });
  });
});

describe('the projections of files', () => {
  const steps = 'init() {}, apply() {}, reset() {}';
  const view = file(
    'view.mjs',
    `import { a, b } from './two.mjs';
     export const ofA = { name: 'of-a', from: [{ workflow: a }], ${steps} }; export const again = ofA;
     export const ofBoth = { name: 'of-both', from: [{ workflow: a }, { workflow: b }], ${steps} };
     export const half = { name: 'half', from: [], init() {} };`,
  );
  const twice = file(
    'twice.mjs',
    `import { a } from './two.mjs'; export const other = { name: 'of-a', from: [{ workflow: a }], ${steps} };`,
  );
  const names = async (modules: string[], workflows?: string[]) => {
    const chosen = await choose(modules, workflows);
    return (await chooseProjections(configured(), { module: modules }, chosen, {})).map(({ name }) => name);
  };

  it('are those that read one of the workflows', async () => {
    expect(await names([two, view])).toEqual(['of-a', 'of-both']);
    expect(await names([two, view], ['b'])).toEqual(['of-both']);
    expect(await names([two])).toEqual([]);
  });

  it('are refused when two have the same name', async () => {
    await expect(names([two, view, twice])).rejects.toThrow('Two projections are named of-a.');
  });
});

describe('where the code is', () => {
  it('a flag comes before the environment, and that before the configuration', () => {
    const env = { SEINE_WORKFLOWS: '/env/a.ts:/env/b.ts:' };
    const config = configured('/config/c.ts');
    expect(moduleFiles(config, { module: ['/flag/d.ts'] }, env)).toEqual(['/flag/d.ts']);
    expect(moduleFiles(config, {}, env)).toEqual(['/env/a.ts', '/env/b.ts']);
    expect(moduleFiles(config, {}, { SEINE_WORKFLOWS: '' })).toEqual(['/config/c.ts']);
  });
});
