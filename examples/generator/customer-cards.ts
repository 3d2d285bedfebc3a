/** Calendars and address cards: text, in lines that are cut and have to be joined. */
import { dateOfBirth } from './identifiers.ts';
import { customer } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { creditCard, iban } from './values.ts';

export function addCustomerCards(share: Share, random: Random): void {
  share.addDocument('customers/appointments.ics', appointments(random), calendar);
  share.addDocument('customers/contacts.vcf', contacts(random), cards);
}

interface Appointment {
  readonly uid: string;
  readonly start: string;
  readonly what: string;
  readonly name: string;
  readonly email: string;
  readonly remark: string;
}

function appointments(random: Random): Appointment[] {
  const what = ['Boot fitting', 'Kayak trial', 'Wader repair', 'Tent viewing'];
  return random.times(8, (n) => {
    const { plain, email, phone } = customer(random);
    const paid =
      n % 4 === 1 ? ` Deposit on card ${creditCard(random)}, said that it may be kept on file.` : '';
    return {
      uid: random.hex(12),
      start: `202405${String(6 + n).padStart(2, '0')}T100000Z`,
      what: random.pick(what),
      name: plain,
      email,
      remark: `Wide feet, narrow views. Call ${phone} an hour before.${paid}`,
    };
  });
}

function calendar(appointments: readonly Appointment[]): Buffer {
  const event = ({ uid, start, what, name, email, remark }: Appointment) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20240305T091200Z',
    `DTSTART:${start}`,
    'DURATION:PT30M',
    `SUMMARY:${what}`,
    `ATTENDEE;CN="${name}";ROLE=REQ-PARTICIPANT;RSVP=TRUE:mailto:${email}`,
    `DESCRIPTION:${remark.replaceAll(',', '\\,')}`,
    'END:VEVENT',
  ];
  return folded([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Brightwater//Fitting room//EN',
    ...appointments.flatMap(event),
    'END:VCALENDAR',
  ]);
}

interface Contact {
  readonly first: string;
  readonly last: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
  readonly born: string;
  readonly remark: string;
}

function contacts(random: Random): Contact[] {
  return random.times(14, (n) => {
    const { first, last, name, email, phone, address } = customer(random);
    const remark =
      n % 5 === 2
        ? `Wants refunds only to IBAN ${iban(random, 'NL')} and never by cheque`
        : 'Likes to be called “captain”';
    return { first, last, name, email, phone, address, born: dateOfBirth(random), remark };
  });
}

function cards(contacts: readonly Contact[]): Buffer {
  const card = ({ first, last, name, email, phone, address, born, remark }: Contact) => {
    const [street, town, rest = ''] = address.split(', ');
    const [state, code] = rest.split(' ');
    return [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `N:${last};${first};;;`,
      `FN:${name}`,
      `TEL;TYPE=CELL:${phone}`,
      `EMAIL;TYPE=INTERNET:${email}`,
      `ADR;TYPE=HOME:;;${street};${town};${state};${code};USA`,
      `BDAY:${born}`,
      `NOTE:${remark}`,
      'END:VCARD',
    ];
  };
  return folded(contacts.flatMap(card));
}

/** No line is longer than 75 bytes; the rest continues on the next line after a space. */
function folded(lines: readonly string[]): Buffer {
  const fold = (line: string) =>
    line.replace(/.{1,60}/gu, (part, at: number) => (at === 0 ? part : `\r\n ${part}`));
  return Buffer.from(lines.map((line) => `${fold(line)}\r\n`).join(''));
}
