import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWriter } from '../../src/sources/writer/open-writer.ts';
import type { ObjectWriter } from '../../src/sources/writer/writer.ts';
import { type Azurite, type Container, freshContainer, startAzurite } from '../support/servers/azurite.ts';

const MIB = 1 << 20;
const never = new AbortController().signal;
let azurite: Azurite;
let container: Container;
let writer: ObjectWriter;

beforeAll(async () => {
  azurite = await startAzurite();
});
afterAll(() => azurite?.stop());
beforeEach(async () => {
  container = await freshContainer(azurite);
  writer = openWriter(`${container.target}/exports`, { settings: container.settings });
});

async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of container.client.listBlobsFlat()) found.push(name);
  return found;
}

const read = (name: string) => container.client.getBlockBlobClient(name).downloadToBuffer();

describe('an export to a container of Azure (Azurite)', () => {
  it('puts small and empty blobs below the prefix', async () => {
    await writer.put('scan-1/a b+c.json', [Buffer.from('{}')], never);
    await writer.put('scan-1/empty', [], never);
    expect(await names()).toEqual(['exports/scan-1/a b+c.json', 'exports/scan-1/empty']);
    expect((await read('exports/scan-1/a b+c.json')).toString()).toBe('{}');
  });

  it('puts a large blob in blocks, and it is not there before it is whole', async () => {
    const seen: string[][] = [];
    async function* content() {
      for (let n = 0; n < 41; n++) yield Buffer.alloc(MIB / 2, n);
      seen.push(await names());
      yield Buffer.from('end');
    }
    await writer.put('large', content(), never);
    expect(seen).toEqual([[]]);
    const expected = Buffer.concat([
      ...Array.from({ length: 41 }, (_, n) => Buffer.alloc(MIB / 2, n)),
      Buffer.from('end'),
    ]);
    expect((await read('exports/large')).equals(expected)).toBe(true);
  });

  it('replaces what is there when it is repeated, also by something shorter', async () => {
    await writer.put('a', [Buffer.alloc(20 * MIB)], never);
    await writer.put('a', [Buffer.from('second')], never);
    await writer.sweep('a', never); // there is nothing to be done
    expect((await read('exports/a')).toString()).toBe('second');
    expect(await names()).toEqual(['exports/a']);
  });

  it('leaves nothing of content that breaks off', async () => {
    async function* broken() {
      yield Buffer.alloc(20 * MIB);
      throw new Error('the database went away');
    }
    await expect(writer.put('broken', broken(), never)).rejects.toThrow('the database');
    expect(await names()).toEqual([]);
  });

  it('may be repeated when another one wrote the same blob meanwhile', async () => {
    async function* overtaken() {
      yield Buffer.alloc(20 * MIB);
      await writer.put('a', [Buffer.alloc(20 * MIB, 1)], never);
      yield Buffer.alloc(20 * MIB);
    }
    await expect(writer.put('a', overtaken(), never)).rejects.toMatchObject({
      kind: 'conflict',
      retry: true,
    });
    expect((await read('exports/a')).equals(Buffer.alloc(20 * MIB, 1))).toBe(true);
  });

  it('says what is wrong with the container and the key', async () => {
    const elsewhere = openWriter(`az://${azurite.account}/no-such-container`, {
      settings: container.settings,
    });
    await expect(elsewhere.put('a', [], never)).rejects.toMatchObject({ kind: 'not-found', retry: false });
    const credentials = { accountKey: Buffer.from('another key').toString('base64') };
    const unauthorized = openWriter(container.target, { settings: { ...container.settings, credentials } });
    await expect(unauthorized.put('a', [], never)).rejects.toMatchObject({
      kind: 'permission',
      retry: false,
    });
  });
});
