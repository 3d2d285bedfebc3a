/** objects.get of the GCS stand-in: the description of an object, or with `alt=media` its content. */
import { gunzipSync } from 'node:zlib';
import { type Answer, jsonAnswer, refuse } from './answer.ts';
import { type Bucket, objectIn, resourceOf, type StoredObject } from './buckets.ts';
import { type Call, checkParameters } from './call.ts';
import { CONDITIONS, checkConditions } from './conditions.ts';
import { chosenFields } from './fields.ts';

export function getObject(call: Call, bucket: Bucket, name: string): Answer {
  checkParameters(call, [...CONDITIONS, 'projection']);
  const object = objectIn(bucket, name);
  checkConditions(call, object.generation);
  if (call.parameters.get('alt') === 'media') return contentOf(call, object);
  return jsonAnswer(200, chosenFields(resourceOf(bucket, object), call.parameters.get('fields')));
}

/** Compressed content is decompressed for clients that don't accept gzip (decompressive transcoding). Then ranges are not supported. */
function contentOf({ headers }: Call, object: StoredObject): Answer {
  const about = aboutOf(object);
  const isUnpacked = object.contentEncoding === 'gzip' && !/gzip/.test(String(headers['accept-encoding']));
  if (isUnpacked) return { status: 200, headers: about, body: gunzipSync(object.bytes) };
  const encoding = object.contentEncoding === undefined ? {} : { 'content-encoding': object.contentEncoding };
  const range = rangeIn(headers.range, object.bytes.length);
  if (range === null) return { status: 200, headers: { ...about, ...encoding }, body: object.bytes };
  const [from, to] = range;
  const place = { 'content-range': `bytes ${from}-${to - 1}/${object.bytes.length}` };
  return { status: 206, headers: { ...about, ...encoding, ...place }, body: object.bytes.subarray(from, to) };
}

function aboutOf(object: StoredObject): Record<string, string> {
  return {
    'content-type': object.contentType,
    'x-goog-generation': String(object.generation),
    'x-goog-metageneration': '1',
    'x-goog-stored-content-length': String(object.bytes.length),
    'x-goog-stored-content-encoding': object.contentEncoding ?? 'identity',
    'x-goog-storage-class': object.storageClass,
  };
}

/** `[from, to)`, cut off at the end of the object; null when the whole is wanted. */
function rangeIn(header: string | undefined, size: number): [number, number] | null {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined) return null;
  const from = Number(first);
  const to = last === '' ? size : Math.min(Number(last) + 1, size);
  if (from >= size || to <= from) {
    refuse(416, 'requestedRangeNotSatisfiable', 'The requested range cannot be satisfied.', 'Range');
  }
  return [from, to];
}
