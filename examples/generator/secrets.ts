/**
 * Secrets that have the form and nothing else: each says that it is fake in the part where a real one is random. The
 * prefixes are glued here, so that the generator's source contains no whole token.
 */
import type { Random } from './random.ts';
import { plant } from './share.ts';

const UPPER32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ANIMALS = ['Otter', 'Heron', 'Trout', 'Badger', 'Osprey', 'Beaver'];
const GEAR = ['Paddle', 'Kayak', 'Lantern', 'Compass', 'Anorak', 'Thermos'];

export const awsAccessKey = (random: Random) =>
  plant('AWS_ACCESS_KEY', `AKIA${'SEINEFAKE'}${random.text(UPPER32, 7)}`);

export const awsSecretKey = (random: Random) =>
  plant('AWS_SECRET_KEY', `seineFAKE/${random.text(ALNUM, 20)}+notAsecre`);

export const githubToken = (random: Random) =>
  plant('GITHUB_TOKEN', `ghp_${'SeineFakeToken'}${random.text(ALNUM, 22)}`);

export const gitlabToken = (random: Random) =>
  plant('GITLAB_TOKEN', `glpat-${'SeineFake'}${random.text(ALNUM, 11)}`);

export const slackToken = (random: Random) =>
  plant(
    'SLACK_TOKEN',
    `xoxb-${random.digits(12)}-${random.digits(12)}-${'SeineFakeToken'}${random.text(ALNUM, 10)}`,
  );

export const slackWebhook = (random: Random) =>
  plant(
    'SLACK_WEBHOOK',
    `https://hooks.slack.com/${'services'}/T0SEINE${random.digits(2)}/B0FAKE${random.digits(3)}/${'SeineFakeHook'}${random.text(ALNUM, 11)}`,
  );

export const stripeKey = (random: Random) =>
  plant('STRIPE_KEY', `sk_${'live'}_${'SeineFakeKey'}${random.text(ALNUM, 12)}`);

export const googleApiKey = (random: Random) =>
  plant('GOOGLE_API_KEY', `AIza${'SyFAKE'}-seine_${random.text(ALNUM, 22)}`);

/** No algorithm, no signature worth the name. */
export function jwt(random: Random, subject: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: subject, iss: 'brightwater-fake', iat: 1_709_000_000, jti: random.hex(12) };
  const signature = Buffer.from('this is not a signature').toString('base64url');
  return plant('JWT', `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.${signature}`);
}

/** A PEM whose body is a sentence, over and over: no key can be read from it. */
export function privateKey(kind: 'RSA PRIVATE KEY' | 'OPENSSH PRIVATE KEY' | 'PRIVATE KEY'): string {
  const body = Buffer.from('This is no key, only water under the bridge. '.repeat(14)).toString('base64');
  const lines = body.match(/.{1,64}/g) ?? [];
  return plant('PRIVATE_KEY', [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join('\n'));
}

export const password = (random: Random) => plant('PASSWORD', passphrase(random));

/** Hosts without a dot: `password@host.name` would read as a mailbox too. */
export const databaseUrl = (random: Random, scheme: string, user: string, place: string) =>
  plant('DATABASE_URL', `${scheme}://${user}:${passphrase(random)}@${place}`);

export const apiKey = (random: Random) => plant('API_KEY', `bwfake${random.hex(26)}`);

function passphrase(random: Random): string {
  return `${random.pick(ANIMALS)}${random.pick(['-', '_', '!'])}${random.pick(GEAR)}${random.int(10, 97)}`;
}
