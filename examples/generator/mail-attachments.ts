import { headers, letter, multipart, type Section } from './mail-formats.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { awsAccessKey, awsSecretKey } from './secrets.ts';
import type { Share } from './share.ts';
import { csv } from './tables.ts';
import { creditCard, ssn } from './values.ts';

const PLAIN: Section = { type: 'text/plain', encoding: '7bit' };

/** Letters with something attached; what matters is in the attachment. */
export function addMailWithAttachments(share: Share, random: Random): void {
  const table = csv(
    random.times(15, () => {
      const { name, email } = colleague(random);
      return { name, email, ssn: ssn(random), bonus: random.int(1, 9) * 100 };
    }),
  );
  share.add(
    'mail/0007-bonus-list.eml',
    letter(
      headers(random, 'Bonus list, confidential', colleague(random).email, mailbox('payroll')),
      'List attached. Please do not forward it like the last one.',
      table,
    ),
    multipart(PLAIN, { type: 'text/csv', encoding: 'base64', filename: 'bonus.csv' }),
  );
  const shopper = customer(random);
  share.add(
    'mail/0008-order-change.eml',
    letter(
      headers(random, 'Change of address', shopper.email, mailbox('orders')),
      `New address: ${shopper.address}\nPlease use ${customer(random).email} from now on.`,
      `<p>New address, but in <b>bold</b>. Card on file stays ${creditCard(random)}.</p>`,
    ),
    multipart(PLAIN, { type: 'text/html', encoding: 'quoted-printable' }),
  );
  share.add(
    'mail/0009-new-bucket.eml',
    letter(
      headers(
        random,
        'Credentials for the photo bucket',
        colleague(random).email,
        mailbox('agency', 'photos.example'),
      ),
      'Sending the keys in a text file so that they are not in the mail.',
      `aws_access_key_id = ${awsAccessKey(random)}\naws_secret_access_key = ${awsSecretKey(random)}\n`,
    ),
    multipart(PLAIN, { type: 'text/plain', encoding: 'base64', filename: 'keys.txt' }),
  );
}
