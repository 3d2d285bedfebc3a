import type { IncomingMessage } from 'node:http';
import { SeineError } from '../../base/errors.ts';
import { MAX_LISTING_BYTES, readText } from '../http/request.ts';
import type { SourceSettings } from '../settings.ts';
import type { ByteRange } from '../source.ts';
import { type PageRequest, type ReadObject, tagOf } from '../store/store-client.ts';
import { endpointOf, type S3Connection } from './s3-connection.ts';
import { hostOf, type S3Endpoint, S3HttpError, sendGet } from './s3-get.ts';
import { parseListing } from './s3-listing.ts';
import { pageOf } from './s3-object.ts';
import { type S3Requests, UnparsableAnswer } from './s3-requests.ts';
import { createSigner, encodeStrictly } from './s3-signing.ts';

interface Get {
  /** Of the object; '' for the bucket. */
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests without the provider's package, which is only used for endpoints and credentials. */
export function createDirectRequests(bucket: string, settings: SourceSettings): S3Requests {
  const route = createRoute(bucket);
  const always = settings.requesterPays ? { 'x-amz-request-payer': 'requester' } : {};
  // Only the provider itself is known to report it.
  const restored =
    endpointOf(settings) === undefined ? { 'x-amz-optional-object-attributes': 'RestoreStatus' } : {};

  async function get(connection: S3Connection, request: Get, signal: AbortSignal): Promise<IncomingMessage> {
    const { config } = connection.client;
    const { endpoint, sign } = await route(connection);
    const path = endpoint.path + encodeStrictly(request.name).replaceAll('%2F', '/');
    const query = queryOf(request.query);
    const host = hostOf(endpoint);
    const headers = { ...request.headers, ...always };
    const credentials = settings.anonymous ? null : await config.credentials();
    const now = new Date(Date.now() + config.systemClockOffset);
    const sent =
      credentials === null ? { ...headers, host } : sign({ host, path, query, headers }, credentials, now);
    // Not signed, because Google modifies it in transit.
    const encoded = { ...sent, 'accept-encoding': acceptedEncoding(endpoint.hostname) };
    try {
      return await sendGet(endpoint, query === '' ? path : `${path}?${query}`, encoded, signal);
    } catch (error) {
      const time =
        error instanceof S3HttpError && error.name === 'RequestTimeTooSkewed' ? error.time : undefined;
      // Stored in the package's configuration, so it applies to both kinds of requests.
      if (time !== undefined) config.systemClockOffset = time - Date.now();
      throw error;
    }
  }

  return {
    async list(connection, request, signal) {
      const httpRequest = { name: '', query: listing(request), headers: restored };
      const listed = parseListing(
        await readText(await get(connection, httpRequest, signal), MAX_LISTING_BYTES),
      );
      if (listed === null) throw new UnparsableAnswer();
      return pageOf(listed);
    },
    async read(connection, object, bytes, signal) {
      const request = { name: object.name, query: {}, headers: reading(object, bytes) };
      const body = await get(connection, request, signal);
      return { status: body.statusCode, headers: body.headers, body };
    },
  };
}

function listing({ prefix, after, most, continued }: PageRequest): Record<string, string> {
  return {
    'list-type': '2',
    // Without it a key with a control character would result in invalid XML.
    'encoding-type': 'url',
    'max-keys': String(most),
    ...(prefix !== '' && { prefix }),
    ...(after !== '' && { 'start-after': after }),
    ...(continued && { 'continuation-token': continued }),
  };
}

function reading({ identity }: ReadObject, bytes: ByteRange | null): Record<string, string> {
  const tag = tagOf(identity);
  return {
    ...(tag !== '' && { 'if-match': `"${tag}"` }),
    ...(bytes !== null && { range: `bytes=${bytes.from}-${bytes.to - 1}` }),
  };
}

/**
 * Only stored bytes have the listed size. Google decompresses gzip objects for clients that don't accept gzip; proxies in front of other
 * stores may compress for clients that do.
 */
export function acceptedEncoding(hostname: string): string {
  return /(^|\.)googleapis\.com$/.test(hostname) ? 'gzip' : 'identity';
}

function queryOf(parameters: Readonly<Record<string, string>>): string {
  const names = Object.keys(parameters).sort();
  return names.map((name) => `${name}=${encodeStrictly(parameters[name]!)}`).join('&');
}

/** The endpoint of a bucket, resolved once per connection. */
function createRoute(bucket: string) {
  let last:
    | { connection: S3Connection; endpoint: Promise<S3Endpoint>; sign: ReturnType<typeof createSigner> }
    | undefined;
  return async (connection: S3Connection) => {
    if (last?.connection !== connection) {
      last = {
        connection,
        endpoint: bucketEndpointOf(connection, bucket),
        sign: createSigner(connection.region),
      };
    }
    const { endpoint, sign } = last;
    return { endpoint: await endpoint, sign };
  };
}

/** Resolves the bucket's endpoint with the package, by preparing a request that is never sent. */
async function bucketEndpointOf({ sdk, client }: S3Connection, bucket: string): Promise<S3Endpoint> {
  const command = new sdk.HeadBucketCommand({ Bucket: bucket });
  let endpoint: S3Endpoint | undefined;
  command.middlewareStack.add(
    () => async (args) => {
      const { protocol, hostname, port, path } = args.request as S3Endpoint;
      endpoint = { protocol, hostname, port, path: path.endsWith('/') ? path : `${path}/` };
      return { response: {}, output: { $metadata: {} } };
    },
    { step: 'build', priority: 'low' },
  );
  await client.send(command);
  if (endpoint === undefined) throw new SeineError('internal', `No address for the bucket ${bucket}.`);
  return endpoint;
}
