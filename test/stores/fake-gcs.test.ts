/** How the GCS stand-in behaves: as strictly as the real one is said to, and well enough for Google's own client. */
import { Storage } from '@google-cloud/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeGcs, startFakeGcs } from '../support/fake-gcs/server.ts';

let gcs: FakeGcs;
beforeAll(async () => {
  gcs = await startFakeGcs();
  const bucket = gcs.buckets.create('data');
  for (const name of ['a', 'b/c', '\uff21', '😀']) gcs.buckets.put(bucket, name, Buffer.from(`I am ${name}`));
});
afterAll(() => gcs.stop());

const objects = '/storage/v1/b/data/o';
async function call(path: string, { token = gcs.token, ...more }: RequestInit & { token?: string } = {}) {
  const headers = { ...(token !== '' && { authorization: `Bearer ${token}` }), ...more.headers };
  const answer = await fetch(gcs.endpoint + path, { ...more, headers, redirect: 'manual' });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) };
}
async function namesIn(query: string): Promise<string[]> {
  const { items = [] } = (await call(`${objects}?${query}`)).json() as { items?: { name: string }[] };
  return items.map(({ name }) => name);
}

describe('the GCS stand-in lists', () => {
  it('in the order of the bytes, from a name on and up to but without another', async () => {
    expect(await namesIn('')).toEqual(['a', 'b/c', '\uff21', '😀']);
    expect(await namesIn('startOffset=b/c')).toEqual(['b/c', '\uff21', '😀']);
    expect(await namesIn(`startOffset=b&endOffset=${encodeURIComponent('\uff21')}`)).toEqual(['b/c']);
    expect(await namesIn('prefix=b/')).toEqual(['b/c']);
  });

  it('in pages, and takes only its own tokens, for the same listing', async () => {
    const first = (await call(`${objects}?maxResults=2`)).json();
    expect(first).toMatchObject({ kind: 'storage#objects', nextPageToken: expect.any(String) });
    expect(await namesIn(`maxResults=2&pageToken=${first.nextPageToken}`)).toEqual(['\uff21', '😀']);
    for (const query of ['pageToken=YQ', `prefix=b&pageToken=${first.nextPageToken}`]) {
      expect((await call(`${objects}?${query}`)).status).toBe(400);
    }
  });

  it('no more than a thousand at a time', async () => {
    const many = gcs.buckets.create('many');
    for (let i = 0; i < 1001; i++) gcs.buckets.put(many, `${i}`, Buffer.alloc(0));
    const { items, nextPageToken } = (await call('/storage/v1/b/many/o?maxResults=5000')).json();
    expect(items).toHaveLength(1000);
    expect(nextPageToken).toBeDefined();
  });

  it('only the wanted fields', async () => {
    const { text } = await call(`${objects}?maxResults=1&fields=items(name,size)`);
    expect(JSON.parse(text)).toEqual({ items: [{ name: 'a', size: '6' }] });
  });
});

describe('the GCS stand-in refuses', () => {
  it.each([
    ['an unknown parameter', `${objects}?startAfter=a`, 400, 'invalidParameter'],
    ['a number that is none', `${objects}?maxResults=many`, 400, 'invalid'],
    ['a bucket that is not there', '/storage/v1/b/none/o', 404, 'notFound'],
    ['an object that is not there', `${objects}/none`, 404, 'notFound'],
    ['a generation that is not the newest', `${objects}/a?ifGenerationMatch=1`, 412, 'conditionNotMet'],
    ['a path that is none', '/storage/v1/c/data', 404, 'notFound'],
  ])('%s', async (_what, path, status, reason) => {
    const answer = await call(path);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ error: { code: status, errors: [{ domain: 'global', reason }] } });
  });

  it('requests without a token, with a wrong one, or without rights', async () => {
    expect(await call(objects, { token: '' })).toMatchObject({ status: 401 });
    expect(await call(objects, { token: 'wrong' })).toMatchObject({ status: 401 });
    expect(await call(objects, { token: gcs.strangerToken })).toMatchObject({ status: 403 });
  });

  it('a range beyond the end, and says in plain text what is wrong with a content', async () => {
    const beyond = await call(`${objects}/a?alt=media`, { headers: { range: 'bytes=6-9' } });
    expect(beyond).toMatchObject({ status: 416, text: 'The requested range cannot be satisfied.' });
    expect(await call(`${objects}/none?alt=media`)).toMatchObject({ text: 'No such object: data/none' });
  });

  it('names that Google refuses', async () => {
    for (const name of ['line\nbreak', '..', 'x'.repeat(1025)]) {
      const path = `/upload${objects}?uploadType=media&name=${encodeURIComponent(name)}`;
      expect((await call(path, { method: 'POST', body: 'x' })).status).toBe(400);
    }
  });
});

describe('the GCS stand-in gives', () => {
  it('a part of an object, with its place', async () => {
    const { status, headers, text } = await call(`${objects}/a?alt=media`, {
      headers: { range: 'bytes=2-99' },
    });
    expect([status, headers.get('content-range'), text]).toEqual([206, 'bytes 2-5/6', 'am a']);
  });

  it('nothing to a client that has the current version', async () => {
    const { generation } = (await call(`${objects}/a`)).json();
    expect((await call(`${objects}/a?ifGenerationNotMatch=${generation}`)).status).toBe(304);
  });
});

describe('the GCS stand-in takes', () => {
  const begin = `/upload${objects}?uploadType=resumable&name=pieces`;
  const GRAIN = 256 << 10;

  it('an object in pieces of the right size, and shows it when it is whole', async () => {
    const { headers } = await call(begin, { method: 'POST' });
    const place = headers.get('location')!.slice(gcs.endpoint.length);
    const put = (body: Buffer, range: string) =>
      call(place, { method: 'PUT', body: new Uint8Array(body), headers: { 'content-range': range } });
    const first = await put(Buffer.alloc(GRAIN), `bytes 0-${GRAIN - 1}/*`);
    expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${GRAIN - 1}`]);
    expect((await call(`${objects}/pieces`)).status).toBe(404);
    expect((await put(Buffer.alloc(1), `bytes ${GRAIN}-${GRAIN}/${GRAIN + 1}`)).status).toBe(200);
    expect((await call(`${objects}/pieces`)).json()).toMatchObject({ size: String(GRAIN + 1) });
  });

  it('no piece of another size before the last', async () => {
    const { headers } = await call(begin, { method: 'POST' });
    const place = headers.get('location')!.slice(gcs.endpoint.length);
    const body = new Uint8Array(10);
    const answer = await call(place, { method: 'PUT', body, headers: { 'content-range': 'bytes 0-9/*' } });
    expect(answer.status).toBe(400);
  });

  it('an object only if there is none, when that is the condition', async () => {
    const path = `/upload${objects}?uploadType=media&name=once&ifGenerationMatch=0`;
    expect((await call(path, { method: 'POST', body: 'x' })).status).toBe(200);
    expect((await call(path, { method: 'POST', body: 'x' })).status).toBe(412);
  });
});

describe("Google's own client", () => {
  it('works with the GCS stand-in', async () => {
    const own = gcs.buckets.create('own', { isPublic: true });
    gcs.buckets.put(own, 'folder/ä b', Buffer.from('content'));
    const storage = new Storage({ apiEndpoint: gcs.endpoint, retryOptions: { autoRetry: false } });
    const [files] = await storage.bucket('own').getFiles({ startOffset: 'f' });
    expect(files.map(({ name }) => name)).toEqual(['folder/ä b']);
    const [bytes] = await files[0]!.download({ start: 1, end: 3, validation: false });
    expect(String(bytes)).toBe('ont');
    expect((await files[0]!.getMetadata())[0]).toMatchObject({ size: '7', storageClass: 'STANDARD' });
    expect(await storage.bucket('own').file('none').exists()).toEqual([false]);
  });
});
