/** Old files that are no longer used but still kept. */
import { dateOfBirth, usPhone } from './identifiers.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { password } from './secrets.ts';
import { plant, type Share } from './share.ts';
import { csv, tsv } from './tables.ts';
import { abaRouting, creditCard, ssn } from './values.ts';

const DEEP = 'archive/old/2013/office-move/boxes/box-07/folder-c/misc/to-sort/really-to-sort';

export function addArchive(share: Share, random: Random): void {
  addRecords(share, random);
  addAttic(share, random);
  addHarmless(share);
}

function addRecords(share: Share, random: Random): void {
  const payroll = random.times(26, () => ({
    NAME: colleague(random).name,
    SSN: ssn(random),
    ROUTING: abaRouting(random),
    NET: `${random.int(700, 2600)}.00`,
  }));
  share.add('archive/old/PAYROLL2011.CSV', csv(payroll).replaceAll('\n', '\r\n'));
  const customers = random.times(150, () => {
    const { name, email, phone } = customer(random);
    return { name, email, phone, birthday: dateOfBirth(random) };
  });
  share.add('archive/old/customers-2012.tsv', tsv(customers));
  const orders = random.times(
    14,
    () =>
      `${random.day(2010, 2012)}  phone order  ${customer(random).name}  ${creditCard(random)}  exp ${random.padded(12, 2).replace('00', '06')}/14`,
  );
  share.add(
    'archive/old/phone-orders.txt',
    `Phone orders. Shred after entry. (Not shredded.)

${orders.join('\n')}
`,
  );
}

function addAttic(share: Share, random: Random): void {
  const cards = random.times(8, () => {
    const { plain, first, last, email } = customer(random);
    return `BEGIN:VCARD
VERSION:3.0
N:${last};${first}
FN:${plant('NAME', plain)}
TEL:${usPhone(random)}
EMAIL:${email}
END:VCARD
`;
  });
  share.add('archive/old/palm-pilot.vcf', cards.join(''));
  share.add(
    'archive/old/intranet/index.html',
    `<html>
<head><title>Welcome to the Intranet!!</title></head>
<body bgcolor="#ffffcc">
<marquee>Under construction since 2009</marquee>
<p>Webmaster: <a href="mailto:${mailbox('webmaster')}">mail me</a></p>
<!-- ftp password: ${password(random)} -->
</body>
</html>
`,
  );
  share.add(
    `${DEEP}/IMPORTANT read me.txt`,
    `If you found this, you are very thorough.

The safe moved to the new office. The old applicant was ${customer(random).name}, SSN ${ssn(random)}.
Please put this somewhere safer than a folder called really-to-sort.
`,
  );
}

function addHarmless(share: Share): void {
  share.add('archive/old/empty.txt', '');
  share.add(
    'archive/old/fax-cover.txt',
    `FAX

To: whoever has the fax machine
From: whoever has the other one
Pages: 1 of 1, probably

Message: please confirm by fax that the fax works.
`,
  );
}
