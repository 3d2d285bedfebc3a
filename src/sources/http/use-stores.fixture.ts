/** A separate process for tests, because the environment is read at startup. Lists, reads and writes in each of the targets. */
import { randomBytes } from 'node:crypto';
import { openSource } from '../open.ts';
import type { SourceSettings } from '../settings.ts';
import { bytesOf, objectsOf } from '../source-test-helpers.ts';
import { openWriter } from '../writer/open-writer.ts';

/** The targets of the three servers of `three-stores.fixture.ts`. */
export function storesAt(origins: { s3: string; azure: string; gcs: string }): [string, SourceSettings][] {
  const accountKey = randomBytes(32).toString('base64');
  return [
    ['s3://box', { endpoint: origins.s3, credentials: { accessKeyId: 'KEY', secretAccessKey: 'secret' } }],
    ['az://acct/box', { endpoint: `${origins.azure}/acct`, credentials: { accountKey } }],
    ['gs://box', { endpoint: origins.gcs, credentials: { token: 'token' } }],
  ];
}

/** For each target: what was read, or the error. */
export async function useStores(targets: readonly [string, SourceSettings][]): Promise<string[]> {
  return Promise.all(
    targets.map(async ([target, settings]) => {
      try {
        const access = { settings, retryTimeoutMs: 0 };
        const source = await openSource(target, {}, access);
        const [object] = await objectsOf(source);
        const content = await bytesOf(source, object!);
        const signal = AbortSignal.timeout(60_000);
        await openWriter(`${target}/out`, access).put('written', [content], signal);
        return String(content);
      } catch (error) {
        const { message, hint } = error as { message: string; hint?: string };
        return `${message} ${hint ?? ''}`;
      }
    }),
  );
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await useStores(JSON.parse(process.argv[2]!))));
}
