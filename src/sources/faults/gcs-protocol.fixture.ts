import { createGcsSource } from '../gcs/gcs-source.ts';
import {
  BUCKET,
  type Page,
  PREFIX,
  type Protocol,
  type Reply,
  replyOf,
  type StoreErrorKind,
} from './protocol.fixture.ts';
import { rangeOf } from './s3-protocol.fixture.ts';

const ROOT = `/storage/v1/b/${BUCKET}/o`;
const JSON_TYPE = { 'content-type': 'application/json' };

export const gcs: Protocol = {
  name: 'GCS',
  compare: (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)),
  open(endpoint, secret, access) {
    const settings = { endpoint, credentials: { token: secret } };
    return createGcsSource(`gs://${BUCKET}/${PREFIX}`, {}, { settings, ...access });
  },
  parse(request) {
    const url = new URL(request.url ?? '/', 'http://server');
    const query = url.searchParams;
    if (url.pathname === ROOT) {
      const most = Math.min(1000, Number(query.get('maxResults') ?? 1000));
      const from = query.get('startOffset') ?? '';
      const token = query.get('pageToken');
      return { kind: 'list', prefix: query.get('prefix') ?? '', from, isAfter: false, most, token };
    }
    const name = decodeURIComponent(url.pathname.slice(ROOT.length + 1));
    if (query.get('alt') !== 'media') return { kind: 'exists', name };
    return { kind: 'read', name, range: rangeOf(request), tag: query.get('ifGenerationMatch') };
  },
  refusal: ({ headers }, { secret }) =>
    headers.authorization === `Bearer ${secret}` ? null : errorReply(401, 'authError'),
  entry: (name, content, tag, modified) => ({
    name,
    size: String(content.length),
    modified: modified.toISOString(),
    tag,
  }),
  listing: (page) => replyOf(200, listing(page), JSON_TYPE),
  errorReply: (trouble) => {
    const [status, reason] = TROUBLES[trouble];
    return errorReply(status, reason);
  },
  account: () => errorReply(400, 'invalid'),
};

const TROUBLES: Readonly<Record<StoreErrorKind, readonly [number, string]>> = {
  denied: [403, 'forbidden'],
  missing: [404, 'notFound'],
  'no bucket': [404, 'notFound'],
  changed: [412, 'conditionNotMet'],
  'bad range': [416, 'requestedRangeNotSatisfiable'],
  'slow down': [429, 'rateLimitExceeded'],
  failed: [500, 'backendError'],
  expired: [401, 'authError'],
  'wrong key': [401, 'authError'],
  archived: [404, 'notFound'], // not applicable: archived objects can be read
};

function errorReply(status: number, reason: string): Reply {
  const error = { code: status, message: 'It is so.', errors: [{ reason, message: 'It is so.' }] };
  return replyOf(status, JSON.stringify({ error }), JSON_TYPE);
}

function listing({ entries, next }: Page): string {
  const items = entries.map(({ name, rawName, size, modified, tag }) => {
    const rest = JSON.stringify({
      ...(size !== null && { size }),
      generation: tag,
      ...(modified !== null && { timeCreated: modified }),
    });
    return `{"name":${rawName ?? JSON.stringify(name)},${rest.slice(1)}`;
  });
  const more = next === null ? '' : `,"nextPageToken":${JSON.stringify(next)}`;
  return `{"kind":"storage#objects"${items.length > 0 ? `,"items":[${items.join(',')}]` : ''}${more}}`;
}
