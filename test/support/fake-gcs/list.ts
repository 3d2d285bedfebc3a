/** objects.list of the GCS stand-in. */
import { createHash } from 'node:crypto';
import { type Answer, jsonAnswer, refuse } from './answer.ts';
import { type Bucket, resourceOf } from './buckets.ts';
import { type Call, checkParameters, numberIn } from './call.ts';
import { chosenFields } from './fields.ts';

const KNOWN = ['prefix', 'startOffset', 'endOffset', 'pageToken', 'maxResults', 'projection', 'versions'];
const MAX = 1000;

export function listObjects(call: Call, bucket: Bucket): Answer {
  checkParameters(call, KNOWN);
  const max = Number(numberIn(call, 'maxResults') ?? MAX);
  if (max === 0) refuse(400, 'invalid', 'Invalid value for maxResults: 0', 'maxResults');
  const expected = wantedNames(call, bucket);
  const page = expected.slice(0, Math.min(max, MAX));
  const last = page.at(-1);
  const items = page.map((name) => resourceOf(bucket, bucket.objects.get(name)!));
  const isLast = last === undefined || page.length === expected.length;
  const listing = {
    kind: 'storage#objects',
    ...(!isLast && { nextPageToken: tokenOf(call, last) }),
    ...(items.length > 0 && { items }),
  };
  return jsonAnswer(200, chosenFields(listing, call.parameters.get('fields')));
}

/** In the order of their bytes, from `startOffset` up to but without `endOffset`. */
function wantedNames(call: Call, bucket: Bucket): string[] {
  const { parameters } = call;
  const prefix = parameters.get('prefix') ?? '';
  const start = Buffer.from(parameters.get('startOffset') ?? '');
  const end = parameters.has('endOffset') ? Buffer.from(parameters.get('endOffset')!) : null;
  const token = parameters.get('pageToken');
  const after = token === undefined ? null : Buffer.from(nameIn(call, token));
  return sortedNames(bucket)
    .filter(({ name, bytes }) => {
      if (!name.startsWith(prefix) || bytes.compare(start) < 0) return false;
      return (end === null || bytes.compare(end) < 0) && (after === null || bytes.compare(after) > 0);
    })
    .map(({ name }) => name);
}

const sorted = new WeakMap<Bucket, { size: number; names: { name: string; bytes: Buffer }[] }>();

/** Kept until objects come or go. */
function sortedNames(bucket: Bucket): { name: string; bytes: Buffer }[] {
  const kept = sorted.get(bucket);
  if (
    kept !== undefined &&
    kept.size === bucket.objects.size &&
    kept.names.every(({ name }) => bucket.objects.has(name))
  ) {
    return kept.names;
  }
  const names = [...bucket.objects.keys()].map((name) => ({ name, bytes: Buffer.from(name) }));
  names.sort((a, b) => a.bytes.compare(b.bytes));
  sorted.set(bucket, { size: names.length, names });
  return names;
}

/** Valid only for the listing that returned it. */
function tokenOf(call: Call, last: string): string {
  return Buffer.from(JSON.stringify([last, sealOf(call, last)])).toString('base64url');
}

function nameIn(call: Call, token: string): string {
  try {
    const [last, seal] = JSON.parse(Buffer.from(token, 'base64url').toString()) as [string, string];
    if (seal === sealOf(call, last)) return last;
  } catch {
    // Not one of ours.
  }
  return refuse(400, 'invalid', 'Invalid argument.', 'pageToken');
}

function sealOf({ path, parameters }: Call, last: string): string {
  const same = ['prefix', 'startOffset', 'endOffset'].map((name) => parameters.get(name) ?? null);
  return createHash('sha256')
    .update(JSON.stringify([path, same, last]))
    .digest('hex')
    .slice(0, 16);
}
