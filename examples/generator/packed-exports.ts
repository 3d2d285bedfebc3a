/** Archives, one inside the other, as a backup leaves them behind. */
import { LZMA2, sevenZipOf } from '../../src/extraction/archives/seven-zip/seven-zip.fixture.ts';
import { tarOf } from '../../src/extraction/archives/tar/tar.fixture.ts';
import { encodeLzma2 } from '../../src/extraction/formats/compression/lzma/lzma.fixture.ts';
import { xzOf } from '../../src/extraction/formats/compression/xz/xz.fixture.ts';
import { driverLicense, publicIp } from './identifiers.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { password } from './secrets.ts';
import type { Share } from './share.ts';
import { csv } from './tables.ts';
import { creditCard, ssn } from './values.ts';
import { gzipped } from './writers/deflate.ts';
import { type Workbook, workbook } from './writers/workbook.ts';
import { zip } from './writers/zip.ts';

/** Disclosed in a mail of the share. */
export const LOCKED_ZIP_PASSWORD = 'Badger!Compass58';

export function addPackedExports(share: Share, random: Random): void {
  share.addDocument('exports/backup.zip', backup(random), backupZip);
  share.addDocument('exports/site-2022.tar.xz', site(random), siteTarXz);
  share.addDocument('exports/rental-desk.7z', rentalDesk(random), sevenZip);
  share.addBytes('exports/locked.zip', zip({ 'hr/warnings-2024.txt': WARNING }, LOCKED_ZIP_PASSWORD));
}

/** Not readable without the password, so nothing in it counts as planted. */
const WARNING = `Written warning

The employee sold the display canoe twice. The second buyer is still in it.
`;

interface Backup {
  readonly readme: string;
  readonly salaries: Workbook;
  readonly logs: Readonly<Record<string, string>>;
}

function backup(random: Random): Backup {
  const rows = random.times(12, () => {
    const { name } = colleague(random);
    return [name, ssn(random), random.int(38, 96) * 1000];
  });
  const log = (till: string) =>
    random
      .times(20, () => {
        const what = random.pick([
          'drawer opened',
          'hat scanned',
          'hat scanned again',
          `receipt to ${customer(random).email}`,
          `declined ${creditCard(random, '')}`,
        ]);
        return `2024-02-29T${random.clock()}Z ${till} ${what}\n`;
      })
      .join('');
  return {
    readme: `Backup of everything that fitted. Ask ${mailbox('it')} where the rest is.\n`,
    salaries: {
      title: 'Salaries',
      author: colleague(random).plain,
      sheets: [{ name: 'Salaries', widths: [24, 14, 12], rows: [['Full name', 'SSN', 'Salary'], ...rows] }],
    },
    logs: { 'logs/till-01.log': log('till-01'), 'logs/till-02.log': log('till-02') },
  };
}

function backupZip({ readme, salaries, logs }: Backup): Buffer {
  return zip({
    'README.txt': readme,
    'hr/salaries.xlsx': workbook(salaries),
    'logs.tar.gz': gzipped(tarOf(Object.entries(logs).map(([name, data]) => ({ name, data })))),
  });
}

interface Site {
  readonly page: string;
  readonly config: string;
  readonly subscribers: string;
}

function site(random: Random): Site {
  const rows = random.times(25, () => {
    const { name, email } = customer(random);
    return { name, email, signup_ip: publicIp(random) };
  });
  return {
    page: '<!doctype html>\n<html><body><h1>Under construction</h1><p>So is the river.</p></body></html>\n',
    config: `<?php\n$db_user = 'shop';\n$db_password = '${password(random)}';\n$admin = '${mailbox('webmaster')}';\n`,
    subscribers: csv(rows),
  };
}

function siteTarXz({ page, config, subscribers }: Site): Buffer {
  const data = tarOf([
    { name: 'site/', type: '5' },
    { name: 'site/index.html', data: page },
    { name: 'site/config.php', data: config },
    { name: 'site/subscribers.csv', data: subscribers },
  ]);
  return xzOf([{ data, compressed: encodeLzma2(data), dictionary: 16 }]);
}

/** What each file says. */
function rentalDesk(random: Random): Record<string, string> {
  const rentals = random.times(18, (n) => {
    const { name, phone } = customer(random);
    return { boat: `K-${10 + n}`, customer_name: name, phone, card_number: creditCard(random) };
  });
  const waiver = (boat: string) => {
    const { name, email, address } = customer(random);
    return `WAIVER, ${boat}

Name: ${name}
Address: ${address}
E-mail: ${email}
Driver's license: ${driverLicense(random)}

I can swim, or I can float. I have been told the difference.
`;
  };
  return {
    'rental-desk/rentals.csv': csv(rentals),
    'rental-desk/waivers/K-10.txt': waiver('K-10'),
    'rental-desk/waivers/K-11.txt': waiver('K-11'),
  };
}

/** All files behind each other, packed as one. */
function sevenZip(files: Readonly<Record<string, string>>): Buffer {
  const packed = encodeLzma2(Buffer.from(Object.values(files).join('')));
  const list = Object.entries(files).map(([name, data]) => ({ name, data }));
  return sevenZipOf([{ coders: [LZMA2], packed, files: list }]);
}
