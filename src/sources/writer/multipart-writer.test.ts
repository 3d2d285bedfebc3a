import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { displayKey } from '../../base/key.ts';
import type { RequestGate } from '../request-gate.ts';
import {
  createMultipartWriter,
  type MultipartStore,
  type Upload,
  type UploadPart,
} from './multipart-writer.ts';

const never = new AbortController().signal;
const bytes = (text: string) => [Buffer.from(text)];

/** An in-memory bucket that records the requests, and fails when `fail` says so. */
class MemoryStore implements MultipartStore {
  readonly prefix = 'out/';
  readonly objects = new Map<string, string>();
  readonly uploads = new Map<string, Map<number, string>>();
  readonly requests: string[] = [];
  readonly places: [offset: number, isLast: boolean][] = [];
  fail: (request: string) => Error | null = () => null;

  putWhole = async (name: string, chunk: Uint8Array) => {
    this.#request(`put ${name}`);
    this.objects.set(name, Buffer.from(chunk).toString());
  };
  beginUpload = async (name: string) => {
    this.#request(`begin ${name}`);
    const id = `${name}#${this.uploads.size}`;
    this.uploads.set(id, new Map());
    return id;
  };
  putPart = async ({ id }: Upload, { number, offset, isLast }: UploadPart, chunk: Uint8Array) => {
    this.places.push([offset, isLast]);
    this.#request(`piece ${number}`);
    this.uploads.get(id)!.set(number, Buffer.from(chunk).toString());
    return `tag${number}`;
  };
  commit = async ({ name, id }: Upload, tags: readonly string[]) => {
    this.#request(`commit ${tags.join(' ')}`);
    this.objects.set(name, [...this.uploads.get(id)!.values()].join(''));
    this.uploads.delete(id);
  };
  abandon = async ({ id }: Upload) => {
    this.requests.push('abandon');
    this.uploads.delete(id);
  };
  listUploads = async (prefix: string) => {
    this.#request(`begun ${prefix}`);
    return [...this.uploads.keys()]
      .map((id) => ({ name: id.split('#')[0]!, id }))
      .filter(({ name }) => name.startsWith(prefix));
  };
  mapError: MultipartStore['mapError'] = (error, key) => {
    if (error instanceof SeineError) return { error, throttled: error.kind === 'limit', retryAfterMs: 5 };
    return { error: new SeineError('internal', `${displayKey(key!)}: ${String(error)}`) };
  };

  #request(what: string): void {
    this.requests.push(what);
    const error = this.fail(what);
    if (error) throw error;
  }
}

describe('a multipart writer', () => {
  it('uploads what fits into one part with one request', async () => {
    const store = new MemoryStore();
    await createMultipartWriter(store, {}, 4).put('a', bytes('1234'), never);
    await createMultipartWriter(store, {}, 4).put('empty', [], never);
    expect([...store.objects]).toEqual([
      ['out/a', '1234'],
      ['out/empty', ''],
    ]);
    expect(store.requests).toEqual(['put out/a', 'put out/empty']);
  });

  it('uploads more in parts, and shows it only when it is complete', async () => {
    const store = new MemoryStore();
    await createMultipartWriter(store, {}, 4).put('a', bytes('123456789'), never);
    expect(store.objects.get('out/a')).toBe('123456789');
    expect(store.requests).toEqual(['begin out/a', 'piece 0', 'piece 1', 'piece 2', 'commit tag0 tag1 tag2']);
    expect(store.places).toEqual([
      [0, false],
      [4, false],
      [8, true],
    ]);
  });

  it('retries after a transient error', async () => {
    const store = new MemoryStore();
    let failures = 2;
    store.fail = (what) =>
      what === 'piece 1' && failures-- > 0 ? new SeineError('unavailable', 'busy') : null;
    await createMultipartWriter(store, {}, 4).put('a', bytes('123456789'), never);
    expect(store.objects.get('out/a')).toBe('123456789');
    expect(store.requests.filter((what) => what === 'piece 1')).toHaveLength(3);
  });

  it('aborts an upload that failed permanently', async () => {
    const store = new MemoryStore();
    store.fail = (what) => (what === 'piece 1' ? new SeineError('permission', 'no') : null);
    await expect(createMultipartWriter(store, {}, 4).put('a', bytes('123456789'), never)).rejects.toThrow(
      'no',
    );
    expect(store.requests.at(-1)).toBe('abandon');
    expect([store.objects.size, store.uploads.size]).toEqual([0, 0]);
  });

  it('aborts an upload whose content broke off', async () => {
    const store = new MemoryStore();
    async function* broken() {
      yield Buffer.from('123456789');
      throw new Error('the database went away');
    }
    await expect(createMultipartWriter(store, {}, 4).put('a', broken(), never)).rejects.toThrow(
      'the database',
    );
    expect([store.objects.size, store.uploads.size]).toEqual([0, 0]);
  });

  it('may write again if another process aborted the upload', async () => {
    const store = new MemoryStore();
    store.fail = (what) => (what.startsWith('commit') ? new SeineError('changed', 'gone') : null);
    const putting = createMultipartWriter(store, {}, 4).put('a', bytes('123456789'), never);
    await expect(putting).rejects.toMatchObject({ kind: 'conflict', retry: true });
    expect(store.requests.filter((what) => what.startsWith('commit'))).toHaveLength(1);
  });

  it('aborts what a killed writer began under the folder, and no more', async () => {
    const store = new MemoryStore();
    const killed = async (name: string) =>
      store.putPart(
        { name, id: await store.beginUpload(name) },
        { number: 0, offset: 0, isLast: false },
        Buffer.from('x'),
      );
    await killed('out/scan-1/round-0/a');
    await killed('out/scan-10/round-0/a');
    await createMultipartWriter(store, {}).sweep('scan-1/round-0', never);
    expect([...store.uploads.keys()]).toEqual(['out/scan-10/round-0/a#1']);
  });

  it('works without the right to list uploads', async () => {
    const store = new MemoryStore();
    store.fail = () => new SeineError('permission', 'no');
    await createMultipartWriter(store, {}).sweep('scan-1', never);
  });

  it('calls the gate with the bytes of each request, and reports throttling to it', async () => {
    const store = new MemoryStore();
    const passed: (string | number | null)[] = [];
    const gate: RequestGate = {
      admit: async (kind, size) => void passed.push(`${kind} ${size}`),
      throttled: (ms) => void passed.push(ms),
    };
    let busy = true;
    store.fail = () => {
      if (!busy) return null;
      busy = false;
      return new SeineError('limit', 'slow down', { retry: true });
    };
    await createMultipartWriter(store, { gate }, 4).put('a', bytes('12'), never);
    expect(passed).toEqual(['write 2', 5, 'write 2']);
  });
});
