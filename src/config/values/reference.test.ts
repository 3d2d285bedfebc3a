import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { variableReference } from './interpolate.ts';
import { formatReference, resolveReference } from './reference.ts';

const folder = mkdtempSync(join(tmpdir(), 'seine-reference-'));
afterAll(() => rmSync(folder, { recursive: true }));

function kept(name: string, content: string): { from: 'file'; path: string } {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { from: 'file', path };
}

describe('a secret in a file', () => {
  it('is its text without the last line break', () => {
    expect(resolveReference(kept('a', 'hush\n'))).toBe('hush');
    expect(resolveReference(kept('b', 'hush\r\n'))).toBe('hush');
    expect(resolveReference(kept('c', ' hush \n\n'))).toBe(' hush \n');
  });

  it('that is missing, empty, or no secret at all is reported with its path', () => {
    expect(() => resolveReference({ from: 'file', path: join(folder, 'none') })).toThrow(
      'none does not exist.',
    );
    expect(() => resolveReference({ from: 'file', path: folder })).toThrow('cannot be read (EISDIR).');
    expect(() => resolveReference(kept('d', '\n'))).toThrow('is empty.');
    expect(() => resolveReference(kept('e', 'x'.repeat(100_000)))).toThrow('is too large for a secret.');
  });
});

describe('a secret in the environment', () => {
  it('is fetched when it is asked for', () => {
    const env: NodeJS.ProcessEnv = {};
    const reference = { from: 'env', name: 'KEY' } as const;
    expect(() => resolveReference(reference, env)).toThrow('The environment variable KEY is not set.');
    env.KEY = 'hush';
    expect(resolveReference(reference, env)).toBe('hush');
  });

  it('may be a part of a text', () => {
    const reference = { from: 'text', text: `redis://:${variableReference('KEY')}@host` } as const;
    expect(resolveReference(reference, { KEY: 'hush' })).toBe('redis://:hush@host');
    expect(formatReference(reference)).toBe(`redis://:${variableReference('KEY')}@host`);
  });
});
