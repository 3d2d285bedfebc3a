import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../scans/results/finding.ts';
import { checkOutputFile, writeOutputFile } from './output-file.ts';
import { SAMPLE, sampleFinding, stream, textOf } from './sample-report.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seine-output-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (path: string, findings: AsyncIterable<Finding> = stream([sampleFinding()])) =>
  writeOutputFile(path, 'jsonl', SAMPLE, findings);

describe('an output file', () => {
  it('replaces the one that was there, and nothing else is left', async () => {
    const path = join(folder, 'findings.jsonl');
    await writeFile(path, 'old');
    await write(path);
    expect(await readFile(path, 'utf8')).toMatch(/^\{"schemaVersion":1,.*\}\n$/);
    expect(await readdir(folder)).toEqual(['findings.jsonl']);
  });

  it('is for its owner alone, from its first byte', async () => {
    const modes: number[] = [];
    async function* watched(): AsyncGenerator<Finding> {
      for (let n = 0; n < 500; n++) yield sampleFinding();
      for (const name of await readdir(folder)) modes.push((await stat(join(folder, name))).mode & 0o777);
      yield sampleFinding();
    }
    const path = join(folder, 'findings.jsonl');
    await write(path, watched());
    expect(modes).toEqual([0o600]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('keeps the mode of the file that it replaces', async () => {
    const path = join(folder, 'findings.jsonl');
    await writeFile(path, 'old');
    await chmod(path, 0o640);
    await write(path);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  it('stays as it was when the findings break off', async () => {
    async function* failing(): AsyncGenerator<Finding> {
      yield sampleFinding();
      throw Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
    }
    const path = join(folder, 'findings.jsonl');
    await writeFile(path, 'old');
    await expect(write(path, failing())).rejects.toThrow('connection lost');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['findings.jsonl']);
  });

  it.each(['real.txt', 'missing.txt', '/dev/null'])('is not written through a link to %s', async (target) => {
    const [real, link] = [join(folder, 'real.txt'), join(folder, 'x.jsonl')];
    await writeFile(real, 'old');
    await symlink(target, link);
    const refusal = { kind: 'usage', message: `Could not write "${link}": it is a symbolic link.` };
    await expect(write(link)).rejects.toMatchObject(refusal);
    expect(() => checkOutputFile(link)).toThrow(refusal.message);
    expect(await readFile(real, 'utf8')).toBe('old');
    expect((await readdir(folder)).sort()).toEqual(['real.txt', 'x.jsonl']);
  });

  it('may be one of the links of the system', () => {
    for (const path of ['/dev/stdout', '/dev/fd/1']) expect(() => checkOutputFile(path)).not.toThrow();
  });

  it('reports which folder is missing', async () => {
    const path = join(folder, 'no', 'x.jsonl');
    await expect(write(path)).rejects.toMatchObject({
      kind: 'not-found',
      message: `Could not write "${path}": its folder does not exist.`,
      hint: expect.stringContaining('Create the folder'),
    });
  });

  it('is not a folder', async () => {
    await expect(write(folder)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('it is a folder'),
    });
  });

  it('reports that the disk is full, and leaves devices devices', async () => {
    await expect(write('/dev/full')).rejects.toMatchObject({
      kind: 'limit',
      message: 'Could not write "/dev/full": the disk is full.',
      hint: expect.stringContaining('Free some space'),
    });
    await write('/dev/null');
    expect(await readFile('/dev/null', 'utf8')).toBe('');
  });

  it('called "-" is standard output', async () => {
    const text = await textOf((out) => writeOutputFile('-', 'jsonl', SAMPLE, stream([sampleFinding()]), out));
    expect(text).toContain('"detector":"SSN"');
  });
});

describe('before anything is written, an output', () => {
  it.each(['-', '/dev/null'])('to %s is fine', (path) => {
    expect(() => checkOutputFile(path)).not.toThrow();
  });

  it('is fine in a folder that is there, and leaves nothing in it', async () => {
    checkOutputFile(join(folder, 'x.jsonl'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('is refused as wrong usage where it could never be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const refused = (path: string, problem: string) =>
      expect(() => checkOutputFile(path)).toThrow(
        expect.objectContaining({
          kind: 'usage',
          message: `Could not write "${path}": ${problem}.`,
          hint: expect.any(String),
        }),
      );
    refused(folder, 'it is a folder');
    refused(join(folder, 'no', 'x.jsonl'), 'its folder does not exist');
    refused(join(folder, 'file', 'x.jsonl'), 'part of its path is a file, not a folder');
    refused(join(folder, 'x'.repeat(300)), 'the name is too long');
  });

  it.skipIf(process.getuid?.() === 0)(
    'is refused in a folder that may not be written (not as root)',
    async () => {
      await mkdir(join(folder, 'closed'), { mode: 0o500 });
      expect(() => checkOutputFile(join(folder, 'closed', 'x.jsonl'))).toThrow('permission denied');
    },
  );
});
