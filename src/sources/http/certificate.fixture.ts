import { generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed certificate for tests, generated without external programs. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** For these names, which may contain a wildcard, and for the addresses of this machine. */
export function createCertificate(names: readonly string[]): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = seq(set(seq(oid(COMMON_NAME), tagged(0x0c, Buffer.from('Seine test server')))));
  const algorithm = seq(oid(ECDSA_SHA256));
  const alternatives = seq(
    ...names.map((one) => tagged(0x82, Buffer.from(one))),
    tagged(0x87, Buffer.from([127, 0, 0, 1])),
    tagged(0x87, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])),
  );
  const isAuthority = seq(tagged(0x01, Buffer.from([0xff])));
  const body = seq(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))), // version 3
    tagged(0x02, Buffer.from([1])), // the serial number
    algorithm,
    name,
    seq(time(-1), time(30)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, seq(extension(BASIC_CONSTRAINTS, isAuthority), extension(ALTERNATIVE_NAMES, alternatives))),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.alloc(1), sign('sha256', body, privateKey)]));
  const base64 = seq(body, algorithm, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

const COMMON_NAME = [0x55, 0x04, 0x03];
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13];
const ALTERNATIVE_NAMES = [0x55, 0x1d, 0x11];
const ECDSA_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

/** DER (X.690): a tag, a length, and the content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function seq(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return tagged(0x31, part);
}

function oid(bytes: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function extension(id: readonly number[], value: Buffer): Buffer {
  return seq(oid(id), tagged(0x04, value));
}

/** This many days from now. */
function time(days: number): Buffer {
  const text = new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tagged(0x18, Buffer.from(text));
}
