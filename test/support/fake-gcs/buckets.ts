/** What the GCS stand-in holds, in memory. */
import { createHash } from 'node:crypto';
import { refuse } from './answer.ts';

export interface Bucket {
  readonly name: string;
  /** Everybody may list and read. */
  isPublic: boolean;
  /** Requests must name a project that pays. */
  requesterPays: boolean;
  readonly objects: Map<string, StoredObject>;
}

export interface StoredObject {
  readonly name: string;
  readonly bytes: Buffer;
  readonly generation: bigint;
  readonly created: Date;
  readonly contentType: string;
  readonly contentEncoding: string | undefined;
  readonly storageClass: string;
  readonly md5: string;
}

export interface About {
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly storageClass?: string;
}

export class Buckets {
  readonly #buckets = new Map<string, Bucket>();
  #lastGeneration = 0n;

  create(name: string, more: { isPublic?: boolean; requesterPays?: boolean } = {}): Bucket {
    const bucket = { name, isPublic: false, requesterPays: false, ...more, objects: new Map() };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  get(name: string): Bucket {
    return this.#buckets.get(name) ?? refuse(404, 'notFound', 'The specified bucket does not exist.');
  }

  put(bucket: Bucket, name: string, bytes: Buffer, about: About = {}): StoredObject {
    checkName(name);
    const object = {
      name,
      bytes,
      generation: this.#nextGeneration(),
      created: new Date(),
      contentType: about.contentType ?? 'application/octet-stream',
      contentEncoding: about.contentEncoding,
      storageClass: about.storageClass ?? 'STANDARD',
      md5: createHash('md5').update(bytes).digest('base64'),
    };
    bucket.objects.set(name, object);
    return object;
  }

  /** Microseconds, as the service has it, and never the same twice. */
  #nextGeneration(): bigint {
    const now = BigInt(Date.now()) * 1000n;
    this.#lastGeneration = now > this.#lastGeneration ? now : this.#lastGeneration + 1n;
    return this.#lastGeneration;
  }
}

export function objectIn(bucket: Bucket, name: string): StoredObject {
  return bucket.objects.get(name) ?? refuse(404, 'notFound', `No such object: ${bucket.name}/${name}`);
}

/** An object as the API describes it; numbers are text there. */
export function resourceOf(bucket: Bucket, object: StoredObject): Record<string, unknown> {
  const generation = String(object.generation);
  const path = `b/${bucket.name}/o/${encodeURIComponent(object.name)}`;
  return {
    kind: 'storage#object',
    id: `${bucket.name}/${object.name}/${generation}`,
    selfLink: `https://www.googleapis.com/storage/v1/${path}`,
    name: object.name,
    bucket: bucket.name,
    generation,
    metageneration: '1',
    contentType: object.contentType,
    ...(object.contentEncoding !== undefined && { contentEncoding: object.contentEncoding }),
    storageClass: object.storageClass,
    size: String(object.bytes.length),
    md5Hash: object.md5,
    etag: Buffer.from(generation).toString('base64'),
    timeCreated: object.created.toISOString(),
    updated: object.created.toISOString(),
  };
}

function checkName(name: string): void {
  const length = Buffer.byteLength(name);
  const isWrong = length < 1 || length > 1024 || /[\r\n]/.test(name) || name === '.' || name === '..';
  if (isWrong || !name.isWellFormed()) refuse(400, 'invalid', `Invalid object name: '${name}'`);
}
