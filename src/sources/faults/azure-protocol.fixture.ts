import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createAzureSource } from '../azure/azure-source.ts';
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
import { element, rangeOf } from './s3-protocol.fixture.ts';

const ACCOUNT = 'acct';
const ROOT = `/${ACCOUNT}/${BUCKET}`;

export const azure: Protocol = {
  name: 'Azure',
  // In UTF-16 order, like JavaScript's comparison.
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  open(endpoint, secret, access) {
    const settings = { endpoint: `${endpoint}/${ACCOUNT}`, credentials: { accountKey: secret } };
    return createAzureSource(`az://${ACCOUNT}/${BUCKET}/${PREFIX}`, {}, { settings, ...access });
  },
  parse(request) {
    const url = new URL(request.url ?? '/', 'http://server');
    const query = url.searchParams;
    if (query.get('restype') === 'account') return { kind: 'account' };
    if (query.get('comp') === 'list') {
      const most = Math.min(5000, Number(query.get('maxresults') ?? 5000));
      const from = query.get('startFrom') ?? '';
      const token = query.get('marker');
      return { kind: 'list', prefix: query.get('prefix') ?? '', from, isAfter: false, most, token };
    }
    const name = decodeURIComponent(url.pathname.slice(ROOT.length + 1));
    if (query.get('comp') === 'metadata') return { kind: 'exists', name };
    const tag = request.headers['if-match']?.replaceAll('"', '') ?? null;
    return { kind: 'read', name, range: rangeOf(request), tag };
  },
  refusal: refuse,
  entry: (name, content, tag, modified) => ({
    name,
    size: String(content.length),
    modified: modified.toUTCString(),
    tag,
  }),
  listing: (page) => replyOf(200, listing(page), { 'content-type': 'application/xml' }),
  errorReply: (trouble) => {
    const [status, code] = TROUBLES[trouble];
    return errorReply(status, code);
  },
  account: () => replyOf(200, '', { 'x-ms-is-hns-enabled': 'false' }),
};

const TROUBLES: Readonly<Record<StoreErrorKind, readonly [number, string]>> = {
  denied: [403, 'AuthorizationPermissionMismatch'],
  missing: [404, 'BlobNotFound'],
  'no bucket': [404, 'ContainerNotFound'],
  changed: [412, 'ConditionNotMet'],
  'bad range': [416, 'InvalidRange'],
  'slow down': [503, 'ServerBusy'],
  failed: [500, 'InternalError'],
  expired: [403, 'AuthenticationFailed'],
  'wrong key': [403, 'AuthenticationFailed'],
  archived: [409, 'BlobArchived'],
};

function errorReply(status: number, code: string): Reply {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is so.</Message></Error>`;
  return replyOf(status, body, { 'x-ms-error-code': code });
}

function listing({ entries, next }: Page): string {
  const blobs = entries.map(
    ({ name, rawName, size, modified, tag, isArchived }) =>
      `<Blob>${rawName ?? `<Name>${escaped(name)}</Name>`}<Properties>${element('Last-Modified', modified)}<Etag>${tag}</Etag>` +
      `${element('Content-Length', size)}<AccessTier>${isArchived ? 'Archive' : 'Hot'}</AccessTier></Properties></Blob>`,
  );
  return (
    `<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="${BUCKET}"><Blobs>${blobs.join('')}</Blobs>` +
    `<NextMarker>${escaped(next ?? '')}</NextMarker></EnumerationResults>`
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Checks time and signature. The provider returns the same error for both. */
function refuse(request: IncomingMessage, { secret, clockAheadMs }: StoreState): Reply | null {
  const { headers } = request;
  const sentAt = Date.parse(String(headers['x-ms-date']));
  if (!(Math.abs(sentAt - Date.now() - clockAheadMs) <= MAX_SKEW_MS))
    return errorReply(403, 'AuthenticationFailed');
  const url = new URL(request.url!, 'http://server');
  const ours = Object.entries(headers).filter(([name]) => name.startsWith('x-ms-'));
  const lines = [
    ...['GET', '', '', '', '', '', '', ''],
    ...[headers['if-match'] ?? '', '', '', headers.range ?? ''],
    ...ours.map(([name, value]) => `${name}:${value}`).sort(),
    `/${ACCOUNT}${request.url!.split('?')[0]}`,
    ...[...url.searchParams].map(([name, value]) => `${name.toLowerCase()}:${value}`).sort(),
  ];
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(lines.join('\n'))
    .digest('base64');
  return headers.authorization === `SharedKey ${ACCOUNT}:${signature}`
    ? null
    : errorReply(403, 'AuthenticationFailed');
}
