import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { elementIn } from './s3-listing.ts';

/** Where the objects of a bucket are: `path` goes before their names. */
export interface S3Place {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number | undefined;
  /** Ends in a slash. */
  readonly path: string;
}

const SOCKETS = { keepAlive: true, maxSockets: 64 };
const agents = { http: new HttpAgent(SOCKETS), https: new HttpsAgent(SOCKETS) };
/** An error takes a few hundred bytes. */
const MOST_ERROR_BYTES = 1 << 16;

/** As the `Host` header has it. */
export function hostOf({ protocol, hostname, port }: S3Place): string {
  const usual = protocol === 'https:' ? 443 : 80;
  return port === undefined || port === usual ? hostname : `${hostname}:${port}`;
}

/** A GET with these headers. Resolves with a good answer; a bad one is thrown as the provider's package would throw it. */
export async function sendGet(
  { protocol, hostname, port }: S3Place,
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSafe = protocol === 'https:';
  const options = { hostname, port, path, headers, signal, agent: isSafe ? agents.https : agents.http };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = isSafe ? requestHttps(options, resolve) : requestHttp(options, resolve);
    request.on('error', reject).end();
  });
  const { statusCode = 0 } = answer;
  if (statusCode === 200 || statusCode === 206) return answer;
  throw new S3Refusal(statusCode, answer.headers, await bodyOf(answer, MOST_ERROR_BYTES));
}

/** An answer that is an error, in the shape that `explainS3` knows. */
export class S3Refusal extends Error {
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
    this.time = headers.date === undefined ? undefined : Date.parse(headers.date);
  }
}

/** The body as text, at least so much of it. */
export async function bodyOf(answer: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length >= most) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}
