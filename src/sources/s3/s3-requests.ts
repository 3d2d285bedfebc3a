import { SeineError } from '../../base/errors.ts';
import type { ByteRange } from '../source.ts';
import type { Content } from '../store/partial-content.ts';
import type { PageRequest, ReadObject, StorePage } from '../store/store-client.ts';
import type { S3Connection } from './s3-connection.ts';

/** The two requests that a scan needs, each sent once. */
export interface S3Requests {
  list(connection: S3Connection, request: PageRequest, signal: AbortSignal): Promise<StorePage>;
  read(
    connection: S3Connection,
    object: ReadObject,
    bytes: ByteRange | null,
    signal: AbortSignal,
  ): Promise<Content>;
}

/** Error codes of a store that does not support the form of a request. */
const UNSUPPORTED_CODES = new Set([
  'SignatureDoesNotMatch',
  'InvalidRequest',
  'InvalidArgument',
  'NotImplemented',
]);

/** A successful response that could not be parsed. */
export class UnparsableAnswer extends SeineError {
  constructor() {
    super('unavailable', 'The store answered with something that is no listing, or a part of one.', {
      hint: 'Check that the endpoint is that of an S3 server.',
    });
  }
}

/**
 * Sends requests directly, because the provider's package spends more CPU time per object than the rest of a worker. If a store doesn't
 * understand the first of them, all requests use the package.
 */
export function preferDirect(direct: S3Requests, byPackage: S3Requests): S3Requests {
  let chosen = direct;
  let isDirectProven = false;

  async function send<T>(request: (requests: S3Requests) => Promise<T>): Promise<T> {
    // Requests are concurrent: each is judged by the implementation it used, not by the one chosen since.
    const way = chosen;
    try {
      const answer = await request(way);
      if (way === direct) isDirectProven = true;
      return answer;
    } catch (error) {
      if (way === byPackage || !isUnsupported(error)) throw error;
      if (isDirectProven && chosen === direct) throw error;
      chosen = byPackage;
      // Not repeated here, because every request must pass the gate.
      throw new SeineError('unavailable', 'The store did not understand a request.', { cause: error });
    }
  }

  return {
    list: (...request) => send((requests) => requests.list(...request)),
    read: (...request) => send((requests) => requests.read(...request)),
  };
}

function isUnsupported(error: unknown): boolean {
  return error instanceof UnparsableAnswer || (error instanceof Error && UNSUPPORTED_CODES.has(error.name));
}
