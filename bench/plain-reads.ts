/**
 * `node plain-reads.ts sdk|http BUCKET KEYS THREADS READS`: reads the objects named in the file KEYS by GETs and does nothing with
 * them, with as many threads and reads at once as Seine. What a scan costs on top of this is Seine's.
 */
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { createSigner } from '../src/sources/s3/s3-signing.ts';

type Read = (key: string) => Promise<number>;

interface Share {
  readonly words: readonly string[];
  readonly rest: number;
}

async function readAll(words: readonly string[]): Promise<void> {
  const threads = Number(words[3]);
  const shares = Array.from({ length: threads }, (_, rest) => readShare({ words, rest }));
  const bytes = (await Promise.all(shares)).reduce((sum, each) => sum + each, 0);
  process.stdout.write(`${bytes}\n`);
}

function readShare(share: Share): Promise<number> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: share, stdout: true });
    let text = '';
    thread.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    thread.on('error', reject).on('exit', () => resolve(Number(text)));
  });
}

async function beThread({ words, rest }: Share): Promise<void> {
  const [way, bucket, list, threads, reads] = words;
  const mine = readFileSync(list!, 'utf8')
    .split('\n')
    .filter((key, n) => key !== '' && n % Number(threads) === rest);
  const read = way === 'sdk' ? await bySdk(bucket!, Number(reads)) : byHttp(bucket!);
  const left = mine.values();
  let bytes = 0;
  const one = async () => {
    for (const key of left) {
      const length = await read(key);
      bytes += length;
    }
  };
  await Promise.all(Array.from({ length: Number(reads) }, one));
  process.stdout.write(`${bytes}`);
}

/** Endpoint, region and keys come from the environment. */
async function bySdk(bucket: string, reads: number): Promise<Read> {
  const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const requestHandler = { httpAgent: { keepAlive: true, maxSockets: reads } };
  const client = new S3Client({ forcePathStyle: true, requestHandler });
  return async (key) => {
    const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (!(body instanceof Readable)) throw new Error(`${key} has no body.`);
    return lengthOf(body);
  };
}

/** Signed, so that the server has the same work. */
function byHttp(bucket: string): Read {
  const { hostname, port, host } = new URL(process.env.AWS_ENDPOINT_URL_S3!);
  const agent = new Agent({ keepAlive: true });
  const sign = createSigner(process.env.AWS_REGION!);
  const credentials = {
    accessKeyId: process.env.AWS_ACCESS_KEY_ID!,
    secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY!,
  };
  return async (key) => {
    const path = `/${bucket}/${key}`;
    const headers = sign({ host, path, query: '', headers: {} }, credentials, new Date());
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ hostname, port, path, headers, agent }, resolve).on('error', reject);
    });
    if (answer.statusCode !== 200) throw new Error(`${key} was answered with ${answer.statusCode}.`);
    return lengthOf(answer);
  };
}

async function lengthOf(body: Readable): Promise<number> {
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) length += piece.length;
  return length;
}

if (isMainThread) await readAll(process.argv.slice(2));
else await beThread(workerData as Share);
