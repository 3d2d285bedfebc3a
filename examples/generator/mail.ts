import { dateOfBirth, passport } from './identifiers.ts';
import { headers, letter, type Section, single } from './mail-formats.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { password } from './secrets.ts';
import type { Share } from './share.ts';
import { creditCard, iban, nhsNumber } from './values.ts';

const PLAIN: Section = { type: 'text/plain', encoding: '7bit' };
const BASE64: Section = { type: 'text/plain', encoding: 'base64' };
const QUOTED: Section = { type: 'text/plain', encoding: 'quoted-printable' };

export function addMail(share: Share, random: Random): void {
  addPlain(share, random);
  addEncoded(share, random);
}

function addPlain(share: Share, random: Random): void {
  const [boss, clerk] = [colleague(random), colleague(random)];
  share.add(
    'mail/0001-wire-today.eml',
    letter(
      headers(random, 'Wire today please', boss.email, clerk.email),
      `Can you send the deposit for the boat show today? IBAN ${iban(random, 'NL', true)}.

Yes, it is really me. Ask me about the canoe.

${boss.first}`,
    ),
    single(PLAIN),
  );
  share.add(
    'mail/0002-wifi.eml',
    letter(
      headers(random, 'Re: Re: Re: wifi', mailbox('it'), mailbox('all-stores')),
      `Once more, for everyone.

Network: Brightwater-Guest
Password: ${password(random)}

It is also on the whiteboard. It should not be on the whiteboard.`,
    ),
    single(PLAIN),
  );
  share.add(
    'mail/0003-cake.eml',
    letter(
      headers(random, 'Cake', clerk.email, mailbox('all-office')),
      'There is cake in the kitchen.\n\nThere was cake in the kitchen.',
    ),
    single(PLAIN),
  );
}

function addEncoded(share: Share, random: Random): void {
  const guest = customer(random);
  share.add(
    'mail/0004-reservation.eml',
    letter(
      headers(random, 'Reservation', guest.email, mailbox('rentals')),
      `Hello,

please keep the two-seat kayak for us. Card for the deposit: ${creditCard(random)}.
I was born ${dateOfBirth(random)}, if the insurance asks; my phone is ${guest.phone}.

${guest.plain}`,
    ),
    single(BASE64),
  );
  const hiker = customer(random);
  share.add(
    'mail/0005-guided-tour.eml',
    letter(
      headers(random, 'Guided tour to the glacier', hiker.email, mailbox('tours')),
      `Dear Brightwater — the agency wants everything in one long line, so here is everything in one long line: passport number ${passport(random)}, card ${creditCard(random)}, e-mail for the tickets ${customer(random).email}, and yes, I’ve read the part about crevasses.\n\nCafé stop at 11:00 = mandatory.`,
    ),
    single(QUOTED),
  );
  share.add(
    'mail/0006-sick-note.eml',
    letter(
      headers(random, 'Krank / sick', colleague(random).email, mailbox('people')),
      `Liebe Kolleginnen und Kollegen,

ich bin bis Freitag krankgeschrieben. For the Leeds file, my NHS number: ${nhsNumber(random)}.

Viele Grüße aus dem Bett`,
    ),
    single(QUOTED),
  );
}
