import { gzipSync } from 'node:zlib';
import { privateIp, publicIp } from './identifiers.ts';
import { colleague, customer } from './people.ts';
import type { Random } from './random.ts';
import { jwt, password } from './secrets.ts';
import type { Share } from './share.ts';
import { creditCard, ssn } from './values.ts';

const PAGES = [
  '/',
  '/tents',
  '/boots/heron',
  '/cart',
  '/checkout',
  '/stoves/pebble',
  '/account',
  '/images/otter.png',
];
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:124.0) Gecko/20100101 Firefox/124.0',
  'curl/8.5.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Safari/604.1',
];

export function addLogs(share: Share, random: Random): void {
  share.add(
    'logs/shop/app.log',
    lines(random, 500, () => appLine(random)),
  );
  share.add(
    'logs/shop/app-debug.log',
    lines(random, 60, () => debugLine(random)),
  );
  share.add('logs/web/access.log', access(random, 600));
  share.add('logs/web/access-2024-03-01.log.gz', access(random, 900), gzipSync);
  share.add(
    'logs/auth.log',
    lines(random, 120, () => authLine(random)),
  );
  share.add(
    'logs/cron.log',
    lines(random, 80, () => cronLine(random)),
  );
}

/** Lines in order of time; sorting needs the stamps first, so they are drawn before the rest. */
function lines(random: Random, count: number, line: () => string): string {
  const stamps = random
    .times(count, () => `${random.day(2024, 2024)}T${random.clock()}.${random.digits(3)}Z`)
    .sort();
  return `${stamps.map((stamp) => `${stamp} ${line()}`).join('\n')}\n`;
}

function appLine(random: Random): string {
  const order = random.int(700_000, 799_999);
  const request = random.hex(16);
  return random.pick([
    () => `INFO  order ${order} placed request=${request} items=${random.int(1, 9)}`,
    () => `INFO  order ${order} packed in ${random.int(40, 900)} ms`,
    () => `INFO  mail sent template=receipt order=${order}`,
    () => `WARN  slow query ${random.int(800, 4000)} ms table=stock`,
    () => `WARN  bounced mail to ${customer(random).email}`,
    () => `ERROR payment declined order=${order} client=${publicIp(random)}`,
  ])();
}

/** Debug logs that were left enabled. */
function debugLine(random: Random): string {
  return random.pick([
    () => `DEBUG checkout form {"card":"${creditCard(random, '')}","name":"redacted"}`,
    () => `DEBUG login user=${customer(random).email} password=${password(random)}`,
    () => `DEBUG token=${jwt(random, `customer-${random.int(50_001, 50_900)}`)}`,
    () => `DEBUG credit check ssn=${ssn(random)} result=ok`,
    () => `DEBUG cache hit key=stock:${random.hex(8)}`,
  ])();
}

function access(random: Random, count: number): string {
  const stamps = random.times(count, () => random.clock()).sort();
  const line = (clock: string) =>
    `${publicIp(random)} - - [01/Mar/2024:${clock} +0000] "GET ${random.pick(PAGES)} HTTP/1.1" ${random.pick([200, 200, 200, 304, 404])} ${random.int(180, 64_000)} "-" "${random.pick(AGENTS)}"`;
  return `${stamps.map(line).join('\n')}\n`;
}

function authLine(random: Random): string {
  const user = colleague(random);
  return random.pick([
    () =>
      `sshd[${random.int(300, 9000)}]: Accepted publickey for ${user.first.toLowerCase()} from ${privateIp(random)} port ${random.int(40_000, 60_000)}`,
    () =>
      `sshd[${random.int(300, 9000)}]: Failed publickey for root from ${publicIp(random)} port ${random.int(40_000, 60_000)}`,
    () => `vpn: session opened for ${user.email} from ${publicIp(random)}`,
  ])();
}

function cronLine(random: Random): string {
  return random.pick([
    `nightly: stock recount finished, ${random.int(1, 30)} boots unpaired`,
    `nightly: ${random.int(100, 900)} thumbnails rebuilt in ${random.int(2, 60)} s`,
    `hourly: weather fetched, rain`,
    `hourly: printer asked for paper, was given paper, asked again`,
  ]);
}
