/** A year of mail in one file, and a message that was dragged to the desktop. */
import { headers, letter, multipart, type Section, single } from './mail-formats.ts';
import { LOCKED_ZIP_PASSWORD } from './packed-exports.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { plant, type Share } from './share.ts';
import { abaRouting, creditCard, iban, ssn } from './values.ts';
import { type OutlookMessage, outlookMessage } from './writers/message.ts';
import { type PdfText, pdf } from './writers/pdf.ts';
import { type Workbook, workbook } from './writers/workbook.ts';

const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const POSTMARK = 'From MAILER-DAEMON Tue Mar 05 09:12:00 2024\n';
const PLAIN: Section = { type: 'text/plain', encoding: '7bit' };
const QUOTED: Section = { type: 'text/plain', encoding: 'quoted-printable' };

export function addMailArchive(share: Share, random: Random): void {
  share.addDocument('mail/archive-2023.mbox', archive(random), mbox);
  share.addDocument('mail/0010-overpaid.msg', overpaid(random), ({ message, table }) =>
    outlookMessage(message, workbook(table)),
  );
}

interface Archive {
  readonly wire: string;
  readonly zip: string;
  readonly scan: { readonly letter: string; readonly attached: PdfText };
  readonly list: { readonly letter: string; readonly attached: Workbook };
}

function archive(random: Random): Archive {
  const [boss, clerk, guest] = [colleague(random), colleague(random), customer(random)];
  return {
    wire: letter(
      headers(random, 'Deposit for the boat show', boss.email, clerk.email),
      `Please wire it today: ${iban(random, 'DE', true)}.\n\nFrom now on we ask before we book a hall — promised.\n\n${boss.first}`,
    ),
    zip: letter(
      headers(random, 'locked.zip', clerk.email, boss.email),
      `The file is in exports, with a lock on it as you wished.\nPassword: ${plant('PASSWORD', LOCKED_ZIP_PASSWORD)}\n\nPlease delete this mail.`,
    ),
    scan: {
      letter: letter(
        headers(random, 'Signed order', guest.email, mailbox('orders')),
        'Signed and scanned, as you asked. The signature is the dog.',
      ),
      attached: {
        title: 'Order',
        author: guest.plain,
        pages: [
          [
            'ORDER',
            '',
            `Name: ${guest.name}`,
            `Phone: ${guest.phone}`,
            `Card: ${creditCard(random)}`,
            '',
            'One canoe. Not the green one.',
          ],
        ],
      },
    },
    list: {
      letter: letter(
        headers(random, 'Bonus list, the right one', clerk.email, mailbox('payroll')),
        'The other one was last year. This one is this year. Neither is for the newsletter.',
      ),
      attached: bonusList(random, clerk.plain),
    },
  };
}

function bonusList(random: Random, author: string): Workbook {
  const rows = random.times(9, () => {
    const { name, email } = colleague(random);
    return [name, email, ssn(random), random.int(1, 9) * 100];
  });
  return {
    title: 'Bonus',
    author,
    sheets: [
      { name: 'Bonus', widths: [24, 36, 14, 10], rows: [['Full name', 'E-mail', 'SSN', 'Bonus'], ...rows] },
    ],
  };
}

function mbox({ wire, zip, scan, list }: Archive): Buffer {
  const mails = [
    single(QUOTED)(wire),
    single(PLAIN)(zip),
    multipart(PLAIN, attachment('order.pdf', 'application/pdf', pdf(scan.attached)))(scan.letter),
    multipart(PLAIN, attachment('bonus-2023.xlsx', EXCEL, workbook(list.attached)))(list.letter),
  ];
  return Buffer.concat(mails.flatMap((mail) => [Buffer.from(POSTMARK), quoted(mail), Buffer.from('\n')]));
}

function attachment(filename: string, type: string, content: Buffer): Section {
  return { type, encoding: 'base64', filename, content };
}

/** A line that starts with `From ` would end the mail (mbox). Mailboxes have Unix line ends. */
function quoted(mail: Buffer): Buffer {
  return Buffer.from(
    mail
      .toString()
      .replaceAll('\r\n', '\n')
      .replace(/^(>*From )/gm, '>$1'),
  );
}

function overpaid(random: Random): { message: OutlookMessage; table: Workbook } {
  const [supplier, clerk] = [customer(random), colleague(random)];
  const rows = random.times(5, () => {
    const { name, email } = customer(random);
    return [name, email, abaRouting(random), random.int(40, 900)];
  });
  return {
    message: {
      subject: 'You paid twice',
      from: { name: supplier.plain, email: supplier.email },
      to: [
        { name: clerk.plain, email: clerk.email },
        { name: 'Accounts', email: mailbox('accounts') },
      ],
      body: `Dear ${clerk.first},\n\nyou paid the ropes twice. We are flattered. Shall we send it back to IBAN ${iban(random, 'NL', true)}, or more rope?\n\n${supplier.plain}\nphone ${supplier.phone}`,
      attachment: { name: 'paid-twice.xlsx', type: EXCEL },
    },
    table: {
      title: 'Paid twice',
      author: supplier.plain,
      sheets: [
        {
          name: 'Twice',
          widths: [24, 36, 16, 10],
          rows: [['Contact name', 'E-mail', 'Routing number', 'Amount'], ...rows],
        },
      ],
    },
  };
}
