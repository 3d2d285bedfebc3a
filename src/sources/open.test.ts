import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempTree } from './fs/temp-tree.ts';
import { openSource } from './open.ts';
import { keysOf } from './probe.ts';

describe('a target', () => {
  it('may be a path, with fs: in front or not, a URL, or the id of a source', async () => {
    using tree = tempTree({ 'größe mit leer%zeichen/a': '' });
    const path = `${tree.root}/größe mit leer%zeichen`;
    const { id } = openSource(path);
    for (const target of [path, `fs:${path}`, pathToFileURL(path).href, id]) {
      const source = openSource(target);
      expect(source.id).toBe(id);
      expect(await keysOf(source)).toEqual(['a']);
    }
  });

  it('takes the options along', async () => {
    using tree = tempTree({ 'a.log': '', b: '' });
    expect(await keysOf(openSource(tree.root, { exclude: ['*.log'] }))).toEqual(['b']);
  });

  it.each(['s3://bucket/prefix', 'http://example.com', '', 'fs:', 'file://otherhost/x'])(
    '%j is refused, and it is said what there is',
    (target) => {
      expect(() => openSource(target)).toThrow(
        expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('fs:PATH') }),
      );
    },
  );
});
