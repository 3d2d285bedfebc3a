import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempTree } from './fs/temp-tree.ts';
import { openSource } from './open.ts';
import { keysOf } from './source-test-helpers.ts';

describe('a target', () => {
  it('may be a path, with or without fs:, a URL, or the id of a source', async () => {
    using tree = tempTree({ 'größe mit leer%zeichen/a': '' });
    const path = `${tree.root}/größe mit leer%zeichen`;
    const { id } = await openSource(path);
    for (const target of [path, `fs:${path}`, pathToFileURL(path).href, id]) {
      const source = await openSource(target);
      expect(source.id).toBe(id);
      expect(await keysOf(source)).toEqual(['a']);
    }
  });

  it('passes on the options', async () => {
    using tree = tempTree({ 'a.log': '', b: '' });
    expect(await keysOf(await openSource(tree.root, { exclude: ['*.log'] }))).toEqual(['b']);
    await expect(openSource('s3://bucket', { exclude: [''] })).rejects.toMatchObject({ kind: 'usage' });
  });

  it.each([
    ['s3://bucket/', 's3://bucket'],
    ['S3://bucket/a/b', 's3://bucket/a/b'],
    ['gs://bucket/a/', 'gs://bucket/a/'],
    ['az://account/container/a b', 'az://account/container/a b'],
    ['https://account.blob.core.windows.net/container/a', 'az://account/container/a'],
  ])('%s is the store %s', async (target, id) => {
    const source = await openSource(target);
    expect(source.id).toBe(id);
    expect((await openSource(id)).id).toBe(id);
    expect(source.capabilities).toEqual({ rangeRead: true, splittable: true, remote: true });
    expect(source.quota).toMatch(/^\w+:.*:/);
  });

  it('may be a simulated bucket', async () => {
    const source = await openSource('sim:dates/30/7');
    expect(source.id).toBe('sim:dates/30/7');
    expect(await keysOf(source)).toHaveLength(30);
    await expect(openSource('sim:round/30/7')).rejects.toMatchObject({ kind: 'usage' });
  });

  it.each([
    'ftp://host/x',
    'http://example.com',
    'https://example.com/x',
    '',
    'fs:',
    'fs:s3://b',
    'file://otherhost/x',
  ])('%j is rejected with a list of valid targets', async (target) => {
    await expect(openSource(target)).rejects.toMatchObject({
      kind: 'usage',
      hint: expect.stringContaining('fs:PATH'),
    });
  });

  it('loads no provider package before the first request', () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { openSource } = await import(${JSON.stringify(import.meta.resolve('./open.ts'))});
      for (const target of ['.', 's3://bucket', 'gs://bucket', 'az://account/container']) await openSource(target);
      process.stdout.write(JSON.stringify(loaded));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const loaded: string[] = JSON.parse(stdout);
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.filter((url) => /@(aws-sdk|azure|google-cloud|smithy)\//.test(url))).toEqual([]);
  });
});
