/** Values that resemble sensitive data and are not. Every finding in `look-alikes/` is a false positive. */
import { createHash } from 'node:crypto';
import { ibanCheck, vinDigit } from './checksums.ts';
import { notACard } from './look-alike-numbers.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';

export function addLookAlikes(share: Share, random: Random): void {
  addHashes(share, random);
  addVersions(share, random);
  addInvalid(share, random);
  addPlaceholders(share);
}

function addHashes(share: Share, random: Random): void {
  const sum = (kind: string) => createHash(kind).update(random.hex(16)).digest('hex');
  const files = random.times(25, (n) => `${sum('sha256')}  photos/boot-${n + 1}.jpg`);
  share.add('look-alikes/SHA256SUMS.txt', `${files.join('\n')}\n`);
  share.add(
    'look-alikes/git-history.txt',
    `${random.times(25, () => `${sum('sha1')} ${random.pick(['fix the zip', 'unfix the zip', 'add otter', 'move otter'])}`).join('\n')}\n`,
  );
  share.add(
    'look-alikes/uuids.json',
    `${JSON.stringify({ sessions: random.times(25, () => random.uuid()) }, null, 2)}\n`,
  );
}

function addVersions(share: Share, random: Random): void {
  const stamps = random.times(
    20,
    () =>
      `${random.int(1_700_000_000, 1_712_000_000)}${random.digits(3)}\t${random.day(2024, 2024).replaceAll('-', '')}${random.clock().replaceAll(':', '')}${random.digits(3)}`,
  );
  share.add('look-alikes/timestamps.tsv', `epoch_ms\tcompact\n${stamps.join('\n')}\n`);
  share.add(
    'look-alikes/versions.txt',
    `till firmware version 1.2.3.4
label printer v2.10.4.1
scanner firmware version: 4.0.12.7
release 3.1.4.1.5.9, the mathematician's build
not an address: 300.12.8.1 and 1.2.3.256
Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36
`,
  );
}

function addInvalid(share: Share, random: Random): void {
  const wrongIban = (country: string, account: string) =>
    `${country}${String(((Number(ibanCheck(country, account)) + 10) % 97) + 2).padStart(2, '0')}${account}`;
  const wrongVin = `1BWZZ99K${(Number(vinDigit('1BWZZ99K0LA000000')) + 1) % 10}LA000000`;
  share.add(
    'look-alikes/invalid-numbers.txt',
    `Training sheet: none of these can exist.

SSN   000-12-3456, 666-12-3456, 912-34-5678, 123-00-4567, 123-45-0000
IBAN  ${wrongIban('DE', `9${random.digits(17)}`)}
IBAN  ${wrongIban('NL', `BWTR0${random.digits(9)}`)}
Card  ${notACard(random, 16)}
Card  4111 1111 1111 1112
VIN   ${wrongVin}
NHS   999 000 0001
`,
  );
}

function addPlaceholders(share: Share): void {
  share.add(
    'look-alikes/placeholders.env',
    `DB_PASSWORD=\${DB_PASSWORD}
password=\${DB_PASSWORD}
API_KEY=<your key>
SECRET=changeme
TOKEN={{ vault.token }}
password=********
AWS_SECRET_ACCESS_KEY=
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
`,
  );
  share.add(
    'look-alikes/config-template.yaml',
    `database:
  url: postgres://{{ user }}:{{ password }}@localhost/shop
  password: !vault shop/database
api_key: "<insert key here>"
secret: null
`,
  );
  share.add(
    'look-alikes/login-form.html',
    `<form>
  <label>E-mail <input name="email" placeholder="you at your provider"></label>
  <label>Password: <input type="password" name="password" required></label>
  <p>Your password must have 12 characters and no otters.</p>
</form>
`,
  );
}
