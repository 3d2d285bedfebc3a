/** objects.insert of the fake GCS server: in one request (`media`), or as a session with chunks (`resumable`). */
import { randomUUID } from 'node:crypto';
import { type Answer, jsonAnswer, refuse } from './answer.ts';
import { type About, type Bucket, type Buckets, resourceOf } from './buckets.ts';
import { type Call, checkParameters } from './call.ts';
import { CONDITIONS, checkConditions } from './conditions.ts';

interface Session {
  readonly bucket: Bucket;
  readonly name: string;
  readonly about: About;
  readonly call: Call;
  bytes: Buffer;
}

/** All pieces but the last are whole multiples of it. */
const GRAIN = 256 << 10;

export class Uploads {
  readonly #buckets: Buckets;
  readonly #sessions = new Map<string, Session>();
  readonly #finished = new Map<string, Answer>();

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  async begin(call: Call, bucket: Bucket, origin: string): Promise<Answer> {
    checkParameters(call, ['uploadType', 'name', 'contentEncoding', ...CONDITIONS]);
    const type = call.parameters.get('uploadType');
    if (type === 'media')
      return this.#finish({ bucket, ...this.#described(call, {}), call, bytes: await call.body() });
    if (type !== 'resumable') refuse(400, 'invalid', `Invalid upload type: ${type}`, 'uploadType');
    const text = (await call.body()).toString();
    const described = this.#described(call, text === '' ? {} : JSON.parse(text));
    const id = randomUUID();
    this.#sessions.set(id, { bucket, ...described, call, bytes: Buffer.alloc(0) });
    const location = `${origin}/upload/storage/v1/b/${bucket.name}/o?uploadType=resumable&upload_id=${id}`;
    return { status: 200, headers: { location, 'x-guploader-uploadid': id } };
  }

  /** A chunk of a resumable session, or a query of its status. The session id replaces the token. */
  async go(call: Call): Promise<Answer> {
    const id = call.parameters.get('upload_id') ?? '';
    const piece = await call.body();
    const finished = this.#finished.get(id);
    if (finished !== undefined) return finished;
    const session = this.#sessions.get(id) ?? refuse(404, 'notFound', 'Not Found');
    if (call.method === 'DELETE') return this.#cancel(id);
    const [, first, size] =
      /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(call.headers['content-range'] ?? '') ?? [];
    const isLast = size === undefined || Number(size) === Number(first ?? 0) + piece.length;
    if (!isLast && piece.length % GRAIN !== 0) {
      refuse(400, 'invalid', 'Invalid request. The size of a piece must be a multiple of 262144 bytes.');
    }
    // What it has already is not taken a second time.
    const skipped = session.bytes.length - Number(first ?? session.bytes.length);
    if (skipped < 0)
      refuse(503, 'backendError', 'Invalid request. The piece does not follow what was received.');
    session.bytes = Buffer.concat([session.bytes, piece.subarray(skipped)]);
    if (!isLast) return received(session);
    this.#sessions.delete(id);
    const done = this.#finish(session);
    this.#finished.set(id, done);
    return done;
  }

  /** The status is the service's own. */
  #cancel(id: string): Answer {
    this.#sessions.delete(id);
    return { status: 499 };
  }

  #described(
    { parameters, headers }: Call,
    about: About & { name?: string },
  ): { name: string; about: About } {
    const name = parameters.get('name') ?? about.name ?? refuse(400, 'required', 'Required', 'name');
    const contentType =
      about.contentType ?? headers['x-upload-content-type']?.toString() ?? headers['content-type'];
    const contentEncoding = about.contentEncoding ?? parameters.get('contentEncoding');
    const { storageClass } = about;
    return {
      name,
      about: {
        ...(contentType !== undefined && { contentType }),
        ...(contentEncoding !== undefined && { contentEncoding }),
        ...(storageClass !== undefined && { storageClass }),
      },
    };
  }

  #finish({ bucket, name, about, call, bytes }: Session): Answer {
    checkConditions(call, bucket.objects.get(name)?.generation ?? 0n);
    return jsonAnswer(200, resourceOf(bucket, this.#buckets.put(bucket, name, bytes, about)));
  }
}

function received({ bytes }: Session): Answer {
  return { status: 308, headers: bytes.length === 0 ? {} : { range: `bytes=0-${bytes.length - 1}` } };
}
