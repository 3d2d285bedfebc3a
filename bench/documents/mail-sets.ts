import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../examples/generator/random.ts';
import { writeCompoundFile } from '../../src/extraction/documents/legacy/compound-file/compound-file.fixture.ts';
import { messageTree } from '../../src/extraction/documents/legacy/outlook/outlook-message.fixture.ts';
import { attached, multipart } from '../../src/extraction/formats/mail/mail.fixture.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { COLUMNS, customerRows, prose } from './content.ts';
import type { DocumentSet } from './set.ts';

const BODY = 4000;
const ATTACHED_ROWS = 200;

export const MAIL_SETS: readonly DocumentSet[] = [
  {
    format: 'eml',
    about: 'a text and a table attached',
    make: (folder, bench) => write(folder, bench, 'eml', mail),
    competitors: [],
  },
  {
    format: 'msg',
    about: 'a text and a table attached',
    make: (folder, bench) => write(folder, bench, 'msg', message),
    competitors: [],
  },
];

async function write(
  folder: string,
  bench: Bench,
  format: string,
  make: (random: Random) => Buffer,
): Promise<number> {
  const random = new Random(bench.seed, format);
  const count = scaled(bench, 1000, 10);
  for (let n = 0; n < count; n++) writeFileSync(join(folder, `${n}.${format}`), make(random));
  return count;
}

function mail(random: Random): Buffer {
  const text = ['Content-Type: text/plain; charset=utf-8', '', ...prose(random, BODY).split('\n')];
  return multipart(text, attached('customers.csv', csv(random), 'text/csv'));
}

/** Its numbers are Outlook's: subject, sender, body; the attachment's bytes and its name. */
function message(random: Random): Buffer {
  return writeCompoundFile(
    messageTree({
      properties: {
        '0037001F': 'Customers',
        '0C1F001F': 'ann@example.com',
        '1000001F': prose(random, BODY),
      },
      attachments: [
        { properties: { '37010102': Buffer.from(csv(random)), '3707001F': 'customers.csv', '37050003': 1 } },
      ],
    }),
  );
}

function csv(random: Random): string {
  const rows = customerRows(random, ATTACHED_ROWS).map((row) =>
    row.map((cell) => (typeof cell === 'string' && cell.includes(',') ? `"${cell}"` : cell)).join(','),
  );
  return `${COLUMNS.join(',')}\n${rows.join('\n')}\n`;
}
