/**
 * AWS Signature Version 4: "Create a signed AWS API request" (IAM User Guide).
 *
 * Signed here because listing and reading are sent without the SDK (s3-direct.ts), whose middleware would run for every object. The
 * SDK still finds endpoints and credentials.
 */
import { createHash, createHmac } from 'node:crypto';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A GET. Path and query are already encoded, header names are in lower case. */
export interface Unsigned {
  readonly host: string;
  readonly path: string;
  /** The parameters sorted by name, without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Sign = (request: Unsigned, credentials: S3Credentials, now: Date) => Record<string, string>;

const NO_BODY = createHash('sha256').digest('hex');

/** AWS Signature Version 4: returns the headers of a request together with the authentication headers. */
export function createSigner(region: string): Sign {
  const keys = createKeys(region);
  return (request, credentials, now) => {
    const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
    const day = time.slice(0, 8);
    const headers: Record<string, string> = {
      ...request.headers,
      host: request.host,
      'x-amz-content-sha256': NO_BODY,
      'x-amz-date': time,
    };
    if (credentials.sessionToken) headers['x-amz-security-token'] = credentials.sessionToken;
    const names = Object.keys(headers).sort();
    const lines = names.map((name) => `${name}:${headers[name]!.trim()}\n`).join('');
    const signed = names.join(';');
    const hash = createHash('sha256').update(
      `GET\n${request.path}\n${request.query}\n${lines}\n${signed}\n${NO_BODY}`,
    );
    const scope = `${day}/${region}/s3/aws4_request`;
    const proof = hmac(keys(credentials, day), `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash.digest('hex')}`);
    const who = `Credential=${credentials.accessKeyId}/${scope}`;
    headers.authorization = `AWS4-HMAC-SHA256 ${who}, SignedHeaders=${signed}, Signature=${proof.toString('hex')}`;
    return headers;
  };
}

/** Percent-encoding as the signature requires it: only letters, digits and `-._~` are left unencoded. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Signing keys are valid for a day and derived from the secret by four HMACs, so the last one is cached. */
function createKeys(region: string): (credentials: S3Credentials, day: string) => Buffer {
  let last: { secret: string; day: string; key: Buffer } = { secret: '', day: '', key: Buffer.alloc(0) };
  return ({ secretAccessKey: secret }, day) => {
    if (last.secret !== secret || last.day !== day) {
      const parts = [day, region, 's3', 'aws4_request'];
      last = { secret, day, key: parts.reduce(hmac, Buffer.from(`AWS4${secret}`)) };
    }
    return last.key;
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
