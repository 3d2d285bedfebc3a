/** A request to the GCS stand-in: its path taken apart, its parameters checked. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { refuse } from './answer.ts';

export interface Call {
  readonly method: string;
  /** The parts of the path, decoded: `['storage', 'v1', 'b', 'bucket', 'o', 'a/b']`. */
  readonly path: readonly string[];
  readonly parameters: ReadonlyMap<string, string>;
  readonly headers: IncomingHttpHeaders;
  body(): Promise<Buffer>;
}

/** Every method takes these. */
const COMMON = ['alt', 'fields', 'prettyPrint', 'userProject'];

export function callOf(request: IncomingMessage): Call {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  return {
    method: request.method ?? 'GET',
    path: url.pathname.split('/').slice(1).map(decodeURIComponent),
    parameters: new Map(url.searchParams),
    headers: request.headers,
    body: () => bytesOf(request),
  };
}

/** A parameter that the method doesn't have is an error of the caller, which must be visible. */
export function checkParameters({ parameters }: Call, known: readonly string[]): void {
  for (const name of parameters.keys()) {
    if (COMMON.includes(name) || known.includes(name)) continue;
    refuse(400, 'invalidParameter', `Unknown parameter: ${name}`, name);
  }
}

export function numberIn({ parameters }: Call, name: string): bigint | null {
  const text = parameters.get(name);
  if (text === undefined) return null;
  return /^\d+$/.test(text)
    ? BigInt(text)
    : refuse(400, 'invalid', `Invalid value for ${name}: ${text}`, name);
}

async function bytesOf(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}
