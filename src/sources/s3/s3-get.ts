import type { IncomingMessage } from 'node:http';
import { MAX_ERROR_BYTES, readText, sendRequest } from '../http/request.ts';
import { elementIn } from './s3-listing.ts';

/** The endpoint of a bucket's objects: `path` precedes their names. */
export interface S3Endpoint {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number | undefined;
  /** Ends in a slash. */
  readonly path: string;
}

/** As in the `Host` header. */
export function hostOf({ protocol, hostname, port }: S3Endpoint): string {
  const usual = protocol === 'https:' ? 443 : 80;
  return port === undefined || port === usual ? hostname : `${hostname}:${port}`;
}

/**
 * Sends a GET with these headers. Resolves with a successful response; an error response is thrown in the shape of the provider's
 * package.
 */
export async function sendGet(
  to: S3Endpoint,
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const answer = await sendRequest('s3', { to, path, headers }, signal);
  const { statusCode = 0 } = answer;
  if (statusCode === 200 || statusCode === 206) return answer;
  throw new S3HttpError(statusCode, answer.headers, await readText(answer, MAX_ERROR_BYTES, 'cut'));
}

/** An error response, in the shape that `mapS3Error` handles. */
export class S3HttpError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  readonly $response: { readonly headers: IncomingMessage['headers'] };
  readonly Region: string | undefined;
  /** When the store sent it, by its own clock. */
  readonly time: number | undefined;

  constructor(status: number, headers: IncomingMessage['headers'], body: string) {
    const code = elementIn(body, 'Code') ?? 'UnknownError';
    super(elementIn(body, 'Message') ?? code);
    this.name = code;
    this.$metadata = { httpStatusCode: status };
    this.$response = { headers };
    this.Region = elementIn(body, 'Region');
    const time = Date.parse(headers.date ?? '');
    this.time = Number.isNaN(time) ? undefined : time;
  }
}
