import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createS3Source } from '../s3/s3-source.ts';
import {
  BUCKET,
  MAX_SKEW_MS,
  type Page,
  PREFIX,
  type Protocol,
  type Reply,
  replyOf,
  type StoreErrorKind,
  type StoreState,
} from './protocol.fixture.ts';

const XML = { 'content-type': 'application/xml' };
export const KEY_ID = 'AKIDTEST';
export const HOME_REGION = 'us-east-1';

export const s3: Protocol = {
  name: 'S3',
  compare: (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)),
  open(endpoint, secret, access) {
    const credentials = { accessKeyId: KEY_ID, secretAccessKey: secret };
    const settings = { endpoint, region: HOME_REGION, credentials };
    return createS3Source(`s3://${BUCKET}/${PREFIX}`, {}, { settings, ...access });
  },
  parse(request) {
    const url = new URL(request.url ?? '/', 'http://server');
    const query = url.searchParams;
    if (query.has('list-type')) {
      const most = Math.min(1000, Number(query.get('max-keys') ?? 1000));
      const from = query.get('start-after') ?? '';
      const token = query.get('continuation-token');
      return { kind: 'list', prefix: query.get('prefix') ?? '', from, isAfter: true, most, token };
    }
    const name = decodeURIComponent(url.pathname.slice(BUCKET.length + 2));
    const tag = request.headers['if-match']?.replaceAll('"', '') ?? null;
    return { kind: 'read', name, range: rangeOf(request), tag };
  },
  refusal: refuse,
  entry: (name, content, tag, modified) => ({
    name,
    size: String(content.length),
    modified: modified.toISOString(),
    tag,
  }),
  listing: (page) => replyOf(200, listing(page), XML),
  errorReply: (trouble) => {
    const [status, code] = TROUBLES[trouble];
    return errorReply(status, code);
  },
  account: () => errorReply(400, 'InvalidRequest'),
};

const TROUBLES: Readonly<Record<StoreErrorKind, readonly [number, string]>> = {
  denied: [403, 'AccessDenied'],
  missing: [404, 'NoSuchKey'],
  'no bucket': [404, 'NoSuchBucket'],
  changed: [412, 'PreconditionFailed'],
  'bad range': [416, 'InvalidRange'],
  'slow down': [503, 'SlowDown'],
  failed: [500, 'InternalError'],
  expired: [400, 'ExpiredToken'],
  'wrong key': [403, 'SignatureDoesNotMatch'],
  archived: [403, 'InvalidObjectState'],
};

export function errorReply(
  status: number,
  code: string,
  more = '',
  headers: Record<string, string> = {},
): Reply {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is so.</Message>${more}</Error>`;
  return replyOf(status, body, { ...XML, ...headers });
}

function listing({ entries, next, isTruncated = next !== null }: Page): string {
  const contents = entries.map(
    ({ name, rawName, size, modified, tag, isArchived }) =>
      `<Contents><Key>${rawName ?? encodeURIComponent(name)}</Key>${element('LastModified', modified)}` +
      `<ETag>&quot;${tag}&quot;</ETag>${element('Size', size)}` +
      `<StorageClass>${isArchived ? 'DEEP_ARCHIVE' : 'STANDARD'}</StorageClass></Contents>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult><Name>${BUCKET}</Name><EncodingType>url</EncodingType>` +
    `<KeyCount>${entries.length}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>` +
    `${element('NextContinuationToken', next)}${contents.join('')}</ListBucketResult>`
  );
}

export function element(name: string, text: string | null): string {
  return text === null ? '' : `<${name}>${text}</${name}>`;
}

export function rangeOf({ headers }: IncomingMessage) {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  return first === undefined ? null : { first: Number(first), last: Number(last) };
}

/** Checks time, region, key and signature, in this order, like the provider. */
function refuse(request: IncomingMessage, { secret, clockAheadMs, region }: StoreState): Reply | null {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    );
  if (parts === null) return errorReply(403, 'AccessDenied');
  const [, keyId, day, sentTo, names, signature] = parts as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const time = String(request.headers['x-amz-date']);
  const now = Date.now() + clockAheadMs;
  const date = { date: new Date(now).toUTCString() };
  const sentAt = Date.parse(time.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'));
  if (Math.abs(sentAt - now) > MAX_SKEW_MS) return errorReply(403, 'RequestTimeTooSkewed', '', date);
  if (sentTo !== region) {
    const headers = { 'x-amz-bucket-region': region };
    return errorReply(400, 'AuthorizationHeaderMalformed', `<Region>${region}</Region>`, headers);
  }
  if (keyId !== KEY_ID) return errorReply(403, 'InvalidAccessKeyId');
  const [path, query = ''] = request.url!.split('?');
  const lines = names.split(';').map((name) => `${name}:${request.headers[name]}\n`);
  const hash = request.headers['x-amz-content-sha256'];
  const canonical = ['GET', path, query, lines.join(''), names, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  );
  const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest();
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request');
  return hmac(key, text).toString('hex') === signature ? null : errorReply(403, 'SignatureDoesNotMatch');
}
