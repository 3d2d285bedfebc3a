import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWriter } from '../../src/sources/writer/open-writer.ts';
import type { ObjectWriter } from '../../src/sources/writer/writer.ts';
import { type FakeGcs, startFakeGcs } from '../support/fake-gcs/server.ts';

const MIB = 1 << 20;
const never = new AbortController().signal;
let gcs: FakeGcs;
let writer: ObjectWriter;
let buckets = 0;
let bucket: string;

beforeAll(async () => {
  gcs = await startFakeGcs();
});
afterAll(() => gcs?.stop());
beforeEach(() => {
  bucket = `test-bucket-${++buckets}`;
  gcs.buckets.create(bucket);
  writer = writerAt(gcs.endpoint);
});

function writerAt(endpoint: string, token = gcs.token, name = bucket): ObjectWriter {
  return openWriter(`gs://${name}/exports`, { settings: { endpoint, credentials: { token } } });
}

const names = () => [...gcs.buckets.get(bucket).objects.keys()];
const read = (name: string) => gcs.buckets.get(bucket).objects.get(name)!.bytes;

describe('an export to a bucket of a stand-in for Google Cloud Storage', () => {
  it('puts small and empty objects below the prefix', async () => {
    await writer.put('scan-1/a b+c&d.json', [Buffer.from('{}')], never);
    await writer.put('scan-1/empty', [], never);
    expect(names()).toEqual(['exports/scan-1/a b+c&d.json', 'exports/scan-1/empty']);
    expect(read('exports/scan-1/a b+c&d.json').toString()).toBe('{}');
  });

  it.each([41, 48])(
    'puts %d half megabytes in pieces, and they are not there before they are whole',
    async (count) => {
      const seen: string[][] = [];
      async function* content() {
        for (let n = 0; n < count; n++) yield Buffer.alloc(MIB / 2, n);
        seen.push(names());
      }
      await writer.put('large', content(), never);
      expect(seen).toEqual([[]]);
      const expected = Buffer.concat(Array.from({ length: count }, (_, n) => Buffer.alloc(MIB / 2, n)));
      expect(read('exports/large').equals(expected)).toBe(true);
    },
  );

  it('continues at the offset of the service when a response is lost', async () => {
    const lossy = await losingAnswers(gcs.endpoint, [2, 4]);
    const content = Buffer.concat(Array.from({ length: 5 }, (_, n) => Buffer.alloc(5 * MIB, n)));
    await writerAt(lossy.endpoint).put('large', [content], never);
    lossy.stop();
    expect(lossy.lost).toBe(2);
    expect(read('exports/large').equals(content)).toBe(true);
  });

  it('leaves nothing of content that breaks off', async () => {
    async function* broken() {
      yield Buffer.alloc(20 * MIB);
      throw new Error('the database went away');
    }
    await expect(writer.put('broken', broken(), never)).rejects.toThrow('the database');
    expect(names()).toEqual([]);
  });

  it('says what is wrong with the credentials and the bucket', async () => {
    const wrong = { kind: 'permission', retry: false };
    await expect(writerAt(gcs.endpoint, 'nobody').put('a', [], never)).rejects.toMatchObject(wrong);
    await expect(writerAt(gcs.endpoint, gcs.strangerToken).put('a', [], never)).rejects.toMatchObject({
      ...wrong,
      message: `No permission to write to gs://${bucket}/exports.`,
    });
    const nowhere = writerAt(gcs.endpoint, gcs.token, 'no-such-bucket');
    await expect(nowhere.put('a', [], never)).rejects.toMatchObject({ kind: 'not-found' });
  });
});

/** Passes requests on, and breaks the connection instead of answering those of these numbers, counted from 1. */
async function losingAnswers(to: string, numbers: readonly number[]) {
  let count = 0;
  const state = { endpoint: '', lost: 0, stop: () => void server.close().closeAllConnections() };
  const server = createServer((incoming, outgoing) => {
    const number = ++count;
    const { method, headers } = incoming;
    const onward = request(new URL(incoming.url!, to), { method, headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray());
      if (numbers.includes(number)) {
        state.lost++;
        return void outgoing.destroy();
      }
      outgoing.writeHead(answer.statusCode!, { ...answer.headers }).end(body);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}
