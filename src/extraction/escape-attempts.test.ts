import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { COPY, sevenZipOf } from './archives/seven-zip/seven-zip.fixture.ts';
import { attributes, tarOf } from './archives/tar/tar.fixture.ts';
import { zipOf } from './archives/zip/zip.fixture.ts';
import { IsolatedReaders } from './isolation/isolated-readers.ts';
import { attempt, LIMITS } from './samples/attempt.fixture.ts';
import { callingFiles, entityFiles } from './samples/escape-attempts.fixture.ts';

const SECRET = 'nobody may read this';
const HOME = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'seine-trespass-'));
const inside = join(folder, 'one', 'two');
const secret = join(folder, 'secret.txt');
let documents: IsolatedReaders;

/** Catches whatever is written to a relative, an absolute or a temporary path. */
beforeAll(() => {
  mkdirSync(inside, { recursive: true });
  mkdirSync(join(folder, 'scratch'));
  writeFileSync(secret, SECRET);
  process.chdir(inside);
  vi.stubEnv('TMPDIR', join(folder, 'scratch'));
  documents = new IsolatedReaders();
});

afterAll(() => {
  documents.close();
  process.chdir(HOME);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const everything = () => readdirSync(folder, { recursive: true }).toSorted();

async function read(name: string, bytes: Uint8Array) {
  const { parts, ...seen } = await attempt(name, bytes, {
    documents,
    limits: LIMITS,
    options: { ocr: false },
  });
  return { ...seen, names: parts.map((part) => part.name), text: parts.map(({ text }) => text).join('\n') };
}

describe('a member of an archive with a dangerous name', () => {
  const names = [
    '../../escaped.txt',
    `../../../../../../../../../..${folder}/escaped.txt`,
    join(folder, 'absolute.txt'),
    'C:\\escaped.txt',
    '..\\..\\escaped.txt',
    'nul\0.txt',
    '.',
    '..',
    '/',
    `${'long/'.repeat(2000)}a.txt`,
  ];
  const data = Buffer.from('the content');
  const long = (name: string) => [
    { name: 'pax', type: 'x', data: attributes({ path: name }) },
    { name: 'x', data },
  ];

  it.each<[string, (name: string) => Buffer]>([
    ['zip', (name) => zipOf([{ name, data }])],
    ['tar', (name) => tarOf(long(name))],
    [
      'tar',
      (name) =>
        tarOf([
          { name: 'link', type: '2', link: name },
          { name: 'link', data },
        ]),
    ],
    ['7z', (name) => sevenZipOf([{ coders: [COPY], packed: data, files: [{ name, data }] }])],
  ])('is read and written nowhere: %s', async (ending, archive) => {
    const before = everything();
    for (const name of names) {
      const { outcome, text } = await read(`a.${ending}`, archive(name));
      expect([name.slice(0, 50), outcome, text.includes('the content') || name === '/']).toEqual([
        name.slice(0, 50),
        expect.stringMatching(/^(read|partial)$/),
        true,
      ]);
    }
    expect(everything()).toEqual(before);
  });
});

describe('a document that references a file of this machine', () => {
  it.each(entityFiles('/etc/passwd').map(({ what }, i) => ({ what, i })))(
    'does not get it: $what',
    async ({ i }) => {
      for (const path of [secret, '/etc/passwd']) {
        const { name, bytes } = entityFiles(path)[i]!;
        const { outcome, text } = await read(name, bytes);
        expect(outcome).toMatch(/^(read|partial)$/);
        expect(text).toContain('before');
        expect(text).not.toMatch(/nobody may read this|root:/);
      }
    },
  );
});

describe('a document that references a network address', () => {
  let calls = 0;
  let server: Server;
  beforeAll(async () => {
    server = createServer((socket) => {
      calls++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it('gets no connection', async () => {
    const { port } = server.address() as { port: number };
    for (const { what, name, bytes } of callingFiles(`http://127.0.0.1:${port}/x`)) {
      const { outcome } = await read(name, bytes);
      expect([what, outcome]).toEqual([what, expect.stringMatching(/^(read|partial)$/)]);
    }
    expect(calls).toBe(0);
  });
});

describe('the scratch folder', () => {
  it('is empty after a document that was too long for memory', async () => {
    const long = Buffer.concat([
      Buffer.from('{\\rtf1 '),
      Buffer.alloc(40_000_000, 'word '),
      Buffer.from('}'),
    ]);
    const packed = zipOf([{ name: 'a.rtf', data: long, method: 0 }]);
    expect((await read('a.zip', packed)).outcome).toBe('read');
    expect(readdirSync(join(folder, 'scratch'))).toEqual([]);
  });
});
