/** A signed contract, and old performance reviews. */
import { dateOfBirth, mrn } from './identifiers.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { abaRouting, ssn } from './values.ts';
import { type About, oldWord } from './writers/legacy.ts';
import { type PdfText, pdf } from './writers/pdf.ts';

export function addHrFiles(share: Share, random: Random): void {
  share.addDocument('hr/contract-kayak-technician.pdf', contract(random), pdf);
  share.addDocument('hr/old-reviews.doc', reviews(random), oldWord);
}

function contract(random: Random): PdfText {
  const [technician, signer, kin] = [colleague(random), colleague(random), customer(random)];
  return {
    title: 'Employment agreement, kayak technician',
    author: signer.plain,
    pages: [
      [
        'EMPLOYMENT AGREEMENT',
        '',
        'between Brightwater Outfitters, Portland, and',
        '',
        `Name: ${technician.name}`,
        `Address: ${technician.address}`,
        `Date of birth: ${dateOfBirth(random, 'us')}`,
        `SSN: ${ssn(random)}`,
        '',
        '1. The employee repairs kayaks. Canoes are repaired by somebody else, who is aware of it.',
        '2. Work begins at nine, or when the river lets the employee through.',
        '3. What is found in a kayak belongs to whoever left it there, sandwiches excepted.',
      ],
      [
        'PAYMENT',
        '',
        `Wages are paid to routing number ${abaRouting(random)}, account ending ${random.digits(4)}.`,
        `Payslips go to ${technician.email} and not to the printer.`,
        '',
        'IN CASE OF WATER',
        '',
        `Call ${kin.plain}, phone ${kin.phone}, and say that it is probably nothing.`,
        '',
        `Questions about this agreement: ${mailbox('people')}`,
        '',
        'Filled in by the employee:',
      ],
    ],
    form: {
      'Full name': technician.plain,
      'Private e-mail': customer(random).email,
      'Social security number': ssn(random),
    },
  };
}

function reviews(random: Random): {
  about: About;
  parts: { main: string; headers: string; comments: string };
} {
  const [author, ...reviewed] = random.times(6, () => colleague(random));
  const verdicts = [
    'Knows every boot by name. The boots seem to know it, too.',
    'Sold a tent to a man who came for directions. He sent a card.',
    'Is late when the tide is. We have asked the tide.',
    'Ties flies that catch people. Move away from the door.',
    'Answers the phone before it rings. Please find out how.',
  ];
  const texts = reviewed.map(({ name, email }, n) =>
    [
      `Employee: ${name}`,
      `E-mail: ${email}`,
      `Social security number: ${ssn(random)}`,
      verdicts[n]!,
      n === 2
        ? `Was away for the wrist; medical record number ${mrn(random)}, letter in the file.`
        : 'No days off sick.',
      '',
    ].join('\r'),
  );
  return {
    about: { title: 'Reviews 2006', author: author!.plain, company: 'Brightwater Outfitters' },
    parts: {
      main: `PERFORMANCE REVIEWS 2006\r\r${texts.join('\r')}\r`,
      headers: 'Strictly personal. Keep in the blue cabinet.\r',
      comments: `Forward to ${mailbox('personnel')} when signed.\r`,
    },
  };
}
