/** Permissions of the fake server's buckets: the valid token allows everything, other requests only what is public. */
import { refuse } from './answer.ts';
import type { Bucket } from './buckets.ts';
import type { Call } from './call.ts';

export const GOOD_TOKEN = 'ya29.stand-in-owner';
/** Of an account that exists and has no rights. */
export const STRANGER_TOKEN = 'ya29.stand-in-stranger';

type Permission =
  | 'storage.objects.list'
  | 'storage.objects.get'
  | 'storage.objects.create'
  | 'storage.objects.delete';

export function authorize({ headers, parameters }: Call, bucket: Bucket, permission: Permission): void {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (headers.authorization !== undefined && token !== GOOD_TOKEN && token !== STRANGER_TOKEN) {
    refuse(401, 'authError', 'Invalid Credentials', 'Authorization');
  }
  const isReading = permission === 'storage.objects.list' || permission === 'storage.objects.get';
  if (token !== GOOD_TOKEN && !(bucket.isPublic && isReading)) throw denied(token, permission);
  if (bucket.requesterPays && !parameters.get('userProject')) {
    const message = 'Bucket is a requester pays bucket but no user project provided.';
    refuse(400, 'required', message, 'userProject');
  }
}

function denied(token: string | undefined, permission: Permission): never {
  const who = token === undefined ? 'Anonymous caller' : 'stranger@stand-in.iam.gserviceaccount.com';
  const message = `${who} does not have ${permission} access to the Google Cloud Storage bucket. Permission '${permission}' denied on resource (or it may not exist).`;
  if (token === undefined) refuse(401, 'required', message, 'Authorization');
  refuse(403, 'forbidden', message);
}
