import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../../../../package.json' with { type: 'json' };
import { UnsupportedLibrary } from '../../../extraction-error.ts';
import { HIDDEN, moreExports, pdfLibrary } from './library.ts';

const dist = dirname(createRequire(import.meta.url).resolve('unpdf'));
const source = readFileSync(join(dist, 'pdfjs.mjs'));

describe('the PDF library', () => {
  it('has the version whose internals are known', () => {
    const installed = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'));
    // After an upgrade: check every expression in library.ts and the types in library-internals.ts.
    expect([packageJson.dependencies.unpdf, installed.version]).toEqual(['1.8.1', '1.8.1']);
  });

  it('exports its internals as classes and functions', async () => {
    const library = await pdfLibrary();
    for (const name of moreExports(source).matchAll(/ as (\w+)/g))
      expect({ name: name[1], type: typeof library[name[1] as keyof typeof library] }).toMatchObject({
        type: 'function',
      });
  });

  it.each(Object.entries(HIDDEN))(
    'is rejected with a clear error when %s is renamed or ambiguous',
    (name, behind) => {
      const text = source.toString('latin1');
      const message = `The installed version of unpdf is not supported: ${name} is not where it was. Run: npm install`;
      expect(`Error: ${message}`).toMatch(UnsupportedLibrary.pattern); // so the reader process passes it on
      for (const changed of [text.replace(behind, '?'), `${text}a${behind}`])
        expect(() => moreExports(Buffer.from(changed, 'latin1'))).toThrow(message);
    },
  );
});
