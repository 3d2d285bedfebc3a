import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

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
  throw new S3Refusal(statusCode, answer.headers, await textOf(answer));
}

/** An answer that is an error, in the shape that `explainS3` knows. */
class S3Refusal extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  readonly $response: { readonly headers: IncomingMessage['headers'] };
  readonly Region: string | undefined;

  constructor(status: number, headers: IncomingMessage['headers'], body: string) {
    const code = elementOf(body, 'Code') ?? 'UnknownError';
    super(elementOf(body, 'Message') ?? code);
    this.name = code;
    this.$metadata = { httpStatusCode: status };
    this.$response = { headers };
    this.Region = elementOf(body, 'Region');
  }
}

function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of answer) {
    text += piece;
    if (text.length > MOST_ERROR_BYTES) break;
  }
  return text;
}
