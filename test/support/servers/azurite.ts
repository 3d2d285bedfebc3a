/** Azurite, Microsoft's own emulator of Azure Blob Storage, for tests: a process of its own that keeps everything in memory. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import type { SourceSettings } from '../../../src/sources/settings.ts';

export interface Azurite {
  /** With the account in its path, as a client wants it. */
  readonly endpoint: string;
  readonly account: string;
  readonly key: string;
  stop(): Promise<void>;
}

/** The default account of Azurite. Its key is not secret: it is published in Microsoft's documentation. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const OPTIONS = ['--blobPort', '0', '--inMemoryPersistence', '--skipApiVersionCheck', '--disableTelemetry'];
/** It exits when its input ends: on request, and also when the test process dies. */
const EXIT_WITH_PARENT = 'data:text/javascript,process.stdin.on("end",()=>process.exit()).resume()';

export async function startAzurite(): Promise<Azurite> {
  const main = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
  const args = ['--import', EXIT_WITH_PARENT, main, '--silent', ...OPTIONS];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  for await (const line of createInterface(child.stdout)) {
    const [, origin] = /listens on (http:\S+)/.exec(line) ?? [];
    if (origin === undefined) continue;
    child.stdout.resume();
    return { endpoint: `${origin}/${ACCOUNT}`, account: ACCOUNT, key: KEY, stop };
  }
  throw new Error('Azurite did not start.');
}

/** Creates a container for a test. It is not removed: the server is discarded with its data. */
export interface Container {
  readonly name: string;
  /** `az://ACCOUNT/CONTAINER`. */
  readonly target: string;
  readonly settings: SourceSettings;
  readonly client: ContainerClient;
  put(name: string, content: Uint8Array | string): Promise<void>;
  /** Many, several at a time. */
  putAll(contents: ReadonlyMap<string, Uint8Array | string>): Promise<void>;
}

export async function freshContainer({ endpoint, account, key }: Azurite): Promise<Container> {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const client = new ContainerClient(`${endpoint}/${name}`, new StorageSharedKeyCredential(account, key));
  await client.create();

  async function put(blob: string, content: Uint8Array | string): Promise<void> {
    const bytes = Buffer.from(content);
    await client.getBlockBlobClient(blob).upload(bytes, bytes.length);
  }

  return {
    name,
    target: `az://${account}/${name}`,
    settings: { endpoint, credentials: { accountKey: key } },
    client,
    put,
    async putAll(contents) {
      const rest = contents.entries();
      const one = async () => {
        for (const [blob, content] of rest) await put(blob, content);
      };
      await Promise.all(Array.from({ length: 8 }, one));
    },
  };
}
