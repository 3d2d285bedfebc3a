import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../budget/limits.ts';
import { drawText, pngOf } from '../documents/pictures/picture.fixture.ts';
import { ROOT_PATH } from '../embedded-path.ts';
import { Extractor } from '../extractor.ts';
import { memoryAccess } from '../input/random-access.ts';
import { IsolatedReaders } from './isolated-readers.ts';
import { hasNetworkNamespace } from './start-command.ts';

const ROOT = join(import.meta.dirname, '../../..');
const documents = new IsolatedReaders({ file: new URL('./hostile-child.fixture.ts', import.meta.url) });
const folder = mkdtempSync(join(tmpdir(), 'seine-sandbox-'));
const calls: string[] = [];
const tcp = createServer(() => calls.push('tcp'));
const unix = createServer(() => calls.push('unix'));
const udp = createSocket('udp4', () => calls.push('udp'));

beforeAll(async () => {
  await Promise.all([listening(tcp, 0), listening(unix, join(folder, 'socket'))]);
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
});

afterAll(() => {
  documents.close();
  for (const server of [tcp, unix, udp]) server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listening(server: Server, where: number | string): Promise<void> {
  server.listen(where);
  await once(server, 'listening');
}

/** The text of a document, which is read in full. */
async function textOf(document: 'pdf' | 'picture', bytes: Uint8Array, by = documents): Promise<string> {
  let text = '';
  const sink = {
    begin: () => {},
    text: (more: Uint8Array) => {
      text += Buffer.from(more);
    },
    end: () => {},
  };
  const budget = new ExtractionBudget(DEFAULT_LIMITS);
  const around = new Extractor({ sink, budget, options: { ocr: true }, documents: by });
  const result = await by.read({ document, input: memoryAccess(bytes), path: ROOT_PATH }, around);
  expect(result.state).toBe('read');
  return text;
}

/** The reader's report about one action. */
const attempt = (action: string) => textOf('pdf', Buffer.from(action));

const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

describe('a reader process', () => {
  it('reads the files of the installation', async () => {
    expect(await attempt(`read ${join(ROOT, 'package.json')}`)).toMatch(/^done: \d+/);
  });

  it.each<[string, () => string]>([
    ['a file of the system', () => 'read /etc/passwd'],
    ['its own environment', () => 'read /proc/self/environ'],
    ['a file of the home folder', () => `read ${join(homedir(), '.profile')}`],
    ['another file of the user', () => `read ${join(folder, 'secret.txt')}`],
    ['other files beside the installation', () => `read ${join(ROOT, 'seine.yaml')}`],
    ['a new file', () => `write ${join(folder, 'written')}`],
    ['a TCP connection', () => `tcp ${port(tcp)}`],
    ['a UDP message', () => `udp ${port(udp)}`],
    ['a socket file', () => `unix ${join(folder, 'socket')}`],
    ['a port to listen on', () => 'listen'],
    ['a name server', () => 'dns example.org'],
    ['an HTTP request', () => `fetch http://127.0.0.1:${port(tcp)}/`],
    ['a thread', () => 'thread'],
    ['a program', () => 'program'],
    ['a signal to the process that started it', () => `signal ${process.pid}`],
    ['a native addon', () => `addon ${join(ROOT, 'package.json')}`],
    ['a binding of Node', () => 'binding tcp_wrap'],
  ])('is refused %s', async (_, action) => {
    expect(await attempt(action())).toMatch(/^refused: (ERR_ACCESS_DENIED|A document reader called)/);
    expect(existsSync(join(folder, 'written'))).toBe(false);
    expect(calls).toEqual([]);
  });

  it.runIf(hasNetworkNamespace())('has no network, for any code it runs', async () => {
    expect(await attempt(`tcp-unrestricted ${port(tcp)}`)).toMatch(/^refused: (ENETUNREACH|ECONNREFUSED)/);
    expect(calls).toEqual([]);
  });

  it('still reads pictures by OCR', async () => {
    const real = new IsolatedReaders();
    const picture = pngOf(drawText(['4111 1111 1111 1111'], 4));
    const said = await textOf('picture', picture, real).finally(() => real.close());
    expect(said).toContain('4111 1111 1111 1111');
  });
});
