/**
 * A stand-in for Google Cloud Storage: there is no server of it that could be installed. It speaks as much of the JSON API
 * as Seine uses, and is as strict about it as the documentation says the real one is. That the real one does the same is
 * not proven by it.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, Refusal, refusalAnswer, refuse } from './answer.ts';
import { authorize, GOOD_TOKEN, STRANGER_TOKEN } from './authorize.ts';
import { Buckets } from './buckets.ts';
import { type Call, callOf, checkParameters } from './call.ts';
import { exchangeToken } from './exchange.ts';
import { getObject } from './get.ts';
import { listObjects } from './list.ts';
import { Uploads } from './upload.ts';

export interface FakeGcs {
  readonly endpoint: string;
  /** Of an account that may do everything. */
  readonly token: string;
  /** Of an account that may do nothing. */
  readonly strangerToken: string;
  readonly buckets: Buckets;
  stop(): Promise<void>;
}

export async function startFakeGcs(): Promise<FakeGcs> {
  const buckets = new Buckets();
  const uploads = new Uploads(buckets);
  const server = createServer((request, response) => {
    answerTo(request, buckets, uploads).then(
      ({ status, headers, body = '' }) => {
        response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
      },
      (error: unknown) => response.destroy(error as Error),
    );
  });
  const endpoint = await listening(server);
  return {
    endpoint,
    token: GOOD_TOKEN,
    strangerToken: STRANGER_TOKEN,
    buckets,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerTo(request: IncomingMessage, buckets: Buckets, uploads: Uploads): Promise<Answer> {
  const call = callOf(request);
  try {
    return await route(call, buckets, uploads, `http://${request.headers.host}`);
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error, call.parameters.get('alt') === 'media');
    throw error;
  }
}

/** `/storage/v1/b/BUCKET/o/OBJECT`, and the same behind `/upload` and `/download`. */
async function route(call: Call, buckets: Buckets, uploads: Uploads, origin: string): Promise<Answer> {
  if (call.method === 'POST' && call.path.join('/') === 'v1/token') return exchangeToken(call);
  const isUpload = call.path[0] === 'upload';
  const path = isUpload || call.path[0] === 'download' ? call.path.slice(1) : call.path;
  const [storage, version, b, bucketName = '', o, name, ...more] = path;
  if (storage !== 'storage' || version !== 'v1' || b !== 'b' || o !== 'o' || more.length > 0) {
    refuse(404, 'notFound', 'Not Found');
  }
  if (isUpload && call.parameters.has('upload_id')) return uploads.go(call);
  const bucket = buckets.get(bucketName);
  const what = `${call.method} ${isUpload ? 'upload' : name === undefined ? 'objects' : 'object'}`;
  switch (what) {
    case 'GET objects':
      authorize(call, bucket, 'storage.objects.list');
      return listObjects(call, bucket);
    case 'GET object':
      authorize(call, bucket, 'storage.objects.get');
      return getObject(call, bucket, name!);
    case 'POST upload':
      authorize(call, bucket, 'storage.objects.create');
      return uploads.begin(call, bucket, origin);
    case 'DELETE object':
      authorize(call, bucket, 'storage.objects.delete');
      checkParameters(call, []);
      return bucket.objects.delete(name!)
        ? { status: 204 }
        : refuse(404, 'notFound', `No such object: ${bucketName}/${name}`);
    default:
      return refuse(405, 'httpMethodNotAllowed', 'Method Not Allowed');
  }
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}
