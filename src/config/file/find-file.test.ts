import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findConfigFile } from './find-file.ts';

let folder: string;
let data: string;
let cwd: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seine-find-'));
  data = join(folder, 'data');
  cwd = join(folder, 'cwd');
  mkdirSync(data);
  mkdirSync(cwd);
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, text: string | Uint8Array = `# ${path}\n`): string {
  writeFileSync(path, text);
  return path;
}

const textOf = (given?: string, env: NodeJS.ProcessEnv = {}) =>
  findConfigFile(given, data, env, cwd)?.text ?? null;

describe('the configuration file', () => {
  it('is the one given, else that of SEINE_CONFIG, else here, else in the data folder', () => {
    expect(textOf()).toBeNull();
    const kept = put(join(data, 'seine.yaml'));
    expect(textOf()).toBe(`# ${kept}\n`);
    const here = put(join(cwd, 'seine.yaml'));
    expect(textOf()).toBe(`# ${here}\n`);
    const env = { SEINE_CONFIG: put(join(folder, 'env.yaml')) };
    expect(textOf(undefined, env)).toBe(`# ${env.SEINE_CONFIG}\n`);
    const given = put(join(folder, 'given.yaml'));
    expect(textOf(given, env)).toBe(`# ${given}\n`);
  });

  it('may be named as none', () => {
    put(join(cwd, 'seine.yaml'));
    expect(textOf('/dev/null')).toBe('');
    expect(textOf(undefined, { SEINE_CONFIG: '/dev/null' })).toBe('');
  });

  it('is searched in the data folder even if the working folder was deleted', () => {
    put(join(data, 'seine.yaml'));
    expect(findConfigFile(undefined, data, {}, null)?.folder).toBe(data);
  });

  it('is none where the data folder is a file', () => {
    expect(findConfigFile(undefined, put(join(folder, 'file')), {}, cwd)).toBeNull();
  });

  it('that is a link to itself is refused', () => {
    symlinkSync('seine.yaml', join(cwd, 'seine.yaml'));
    expect(() => textOf()).toThrow('cannot be read (ELOOP)');
  });

  it('that was asked for must be there', () => {
    expect(() => textOf('none.yaml')).toThrow('The configuration file none.yaml does not exist.');
    expect(() => textOf(undefined, { SEINE_CONFIG: 'none.yaml' })).toThrow('does not exist.');
    expect(() => textOf(folder)).toThrow('cannot be read (EISDIR).');
  });

  it('is text, and not a large one', () => {
    expect(() => textOf(put(join(folder, 'a'), Buffer.from([0x6d, 0xff])))).toThrow('is not UTF-8 text.');
    expect(() => textOf(put(join(folder, 'b'), 'x'.repeat(2 << 20)))).toThrow('is too large.');
  });
});

describe('a file that was only found in the working folder', () => {
  it('is not used when every user could have written it', () => {
    const path = put(join(cwd, 'seine.yaml'));
    chmodSync(path, 0o666);
    expect(() => textOf()).toThrow('can be changed by other users');
    expect(textOf(path)).toBe(`# ${path}\n`);
  });

  it.skipIf(process.geteuid?.() !== 0)('is not used when it is another user’s (needs root)', () => {
    const path = put(join(cwd, 'seine.yaml'));
    chownSync(path, 12_345, 12_345);
    expect(() => textOf()).toThrow('belongs to another user');
    expect(textOf(path)).toBe(`# ${path}\n`);
  });
});
