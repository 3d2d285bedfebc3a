import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { GetObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { parquetReadObjects } from 'hyparquet';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { writeExportFiles } from '../../src/scans/hooks/export/export-files.ts';
import { FINDINGS, type Row } from '../../src/scans/hooks/export/table.ts';
import { openWriter } from '../../src/sources/writer/open-writer.ts';
import type { ObjectWriter } from '../../src/sources/writer/writer.ts';
import { type Bucket, freshBucket } from '../support/servers/s3-bucket.ts';
import { waitUntil } from '../support/wait-for.ts';

const server = inject('s3');
const MIB = 1 << 20;
const never = new AbortController().signal;

describe.skipIf('missing' in server)('an export to a bucket of a real S3 server', () => {
  if ('missing' in server) return;
  let bucket: Bucket;
  let writer: ObjectWriter;

  beforeEach(async () => {
    bucket = await freshBucket(server);
    writer = openWriter(`s3://${bucket.name}/exports`, { settings: bucket.settings });
  });

  async function names(): Promise<string[]> {
    const { Contents = [] } = await bucket.client.send(new ListObjectsV2Command({ Bucket: bucket.name }));
    return Contents.map(({ Key }) => Key!);
  }

  async function read(name: string): Promise<Buffer> {
    const { Body } = await bucket.client.send(new GetObjectCommand({ Bucket: bucket.name, Key: name }));
    return Buffer.from(await Body!.transformToByteArray());
  }

  async function begun(): Promise<string[]> {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket.name });
    return ((await bucket.client.send(command)).Uploads ?? []).map(({ Key }) => Key!);
  }

  it('puts small and empty objects below the prefix', async () => {
    await writer.put('scan-1/round-0/a b+c.json', [Buffer.from('{}')], never);
    await writer.put('scan-1/round-0/empty', [], never);
    expect(await names()).toEqual(['exports/scan-1/round-0/a b+c.json', 'exports/scan-1/round-0/empty']);
    expect((await read('exports/scan-1/round-0/a b+c.json')).toString()).toBe('{}');
    expect(await read('exports/scan-1/round-0/empty')).toHaveLength(0);
  });

  it('puts a large object in parts, and it is not there before it is whole', async () => {
    const seen: string[][] = [];
    async function* content() {
      for (let n = 0; n < 41; n++) yield Buffer.alloc(MIB / 2, n);
      seen.push(await begun(), await names());
      yield Buffer.from('end');
    }
    await writer.put('large', content(), never);
    expect(seen).toEqual([['exports/large'], []]);
    const expected = Buffer.concat([
      ...Array.from({ length: 41 }, (_, n) => Buffer.alloc(MIB / 2, n)),
      Buffer.from('end'),
    ]);
    expect((await read('exports/large')).equals(expected)).toBe(true);
    expect(await begun()).toEqual([]);
  });

  it('replaces what is there when it is repeated, and adds nothing', async () => {
    for (const text of ['first', 'second']) await writer.put('a', [Buffer.from(text)], never);
    expect(await names()).toEqual(['exports/a']);
    expect((await read('exports/a')).toString()).toBe('second');
  });

  it('leaves nothing of content that breaks off', async () => {
    async function* broken() {
      yield Buffer.alloc(20 * MIB);
      throw new Error('the database went away');
    }
    await expect(writer.put('broken', broken(), never)).rejects.toThrow('the database');
    expect([await names(), await begun()]).toEqual([[], []]);
  });

  it('that was killed leaves parts, which the next one takes away', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', hangingPut(bucket)], {
      stdio: 'inherit',
    });
    const died = once(child, 'exit');
    await waitUntil('the upload to begin', async () => {
      expect(child.exitCode).toBeNull();
      return (await begun()).length > 0;
    });
    child.kill('SIGKILL');
    await died;
    expect(await names()).toEqual([]);
    await writer.sweep('scan-2/round-0', never);
    expect(await begun()).toEqual(['exports/scan-1/round-0/findings-00000.jsonl']);
    await writer.sweep('scan-1/round-0', never);
    expect(await begun()).toEqual([]);
    await writer.put('scan-1/round-0/findings-00000.jsonl', [Buffer.alloc(20 * MIB, 1)], never);
    expect(await read('exports/scan-1/round-0/findings-00000.jsonl')).toHaveLength(20 * MIB);
  });

  it('whose parts another one swept away may be repeated', async () => {
    async function* swept() {
      yield Buffer.alloc(20 * MIB);
      await writer.sweep('scan-1', never);
      yield Buffer.alloc(20 * MIB);
    }
    await expect(writer.put('scan-1/a', swept(), never)).rejects.toMatchObject({
      kind: 'conflict',
      retry: true,
    });
  });

  it('says what is wrong with the credentials', async () => {
    const credentials = { accessKeyId: 'nobody', secretAccessKey: 'nothing' };
    const unauthorized = openWriter(`s3://${bucket.name}`, { settings: { ...bucket.settings, credentials } });
    await expect(unauthorized.put('a', [], never)).rejects.toMatchObject({
      kind: 'permission',
      retry: false,
    });
    const nowhere = openWriter('s3://no-such-bucket-here', { settings: bucket.settings });
    await expect(nowhere.put('a', [], never)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('says that nothing may be written', async () => {
    await bucket.publish();
    const unauthorized = openWriter(`s3://${bucket.name}`, {
      settings: { endpoint: server.endpoint, anonymous: true },
    });
    await expect(unauthorized.put('a', [Buffer.from('x')], never)).rejects.toMatchObject({
      kind: 'permission',
      message: `No permission to write to s3://${bucket.name}.`,
    });
  });

  it('has Parquet files that can be read back', async () => {
    const rows = Array.from({ length: 45_000 }, (_, line) => rowOf(line));
    const options = {
      writer,
      folder: 'scan-1/round-0',
      format: 'parquet',
      partRows: 30_000,
      signal: never,
    } as const;
    const files = await writeExportFiles(FINDINGS, stream(rows), options);
    expect(files.map(({ name, rows }) => [name, rows])).toEqual([
      ['findings-00000.parquet', 30_000],
      ['findings-00001.parquet', 15_000],
    ]);
    const back: unknown[] = [];
    for (const { name } of files) {
      const file = new Uint8Array(await read(`exports/scan-1/round-0/${name}`)).buffer;
      back.push(...(await parquetReadObjects({ file, columns: ['line', 'fingerprint'] })));
    }
    expect(back).toEqual(
      rows.map(({ line, fingerprint }) => ({ line: BigInt(line as number), fingerprint })),
    );
  });
});

function rowOf(line: number): Row {
  const place = { start: line, end: line + 9, line, column: 1 };
  const value = { confidence: 0.9, tier: 'HIGH', masked: '***', fingerprint: `f${line}`, reasons: ['x'] };
  const object = { schemaVersion: 1, scan: '1', source: 's3://b', key: `k${line}`, part: null, field: null };
  const more = { baseConfidence: 0.8, entropy: null, contested: [], handle: `1-${line}-0` };
  return { ...object, detector: 'EMAIL', category: 'contact', ...place, ...value, ...more };
}

async function* stream(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

/** A program that starts an upload and waits for more. */
function hangingPut(bucket: Bucket): string {
  const module = join(import.meta.dirname, '../../src/sources/writer/open-writer.ts');
  return `
    import { openWriter } from ${JSON.stringify(module)};
    const settings = ${JSON.stringify(bucket.settings)};
    const writer = openWriter('s3://${bucket.name}/exports', { settings });
    setInterval(() => {}, 1000);
    const content = (async function* () { yield Buffer.alloc(${20 * MIB}); await new Promise(() => {}); })();
    await writer.put('scan-1/round-0/findings-00000.jsonl', content, new AbortController().signal);`;
}
