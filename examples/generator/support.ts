import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { password } from './secrets.ts';
import { plant, type Share } from './share.ts';
import { ndjson } from './tables.ts';
import { creditCard, iban, ssn } from './values.ts';

const SUBJECTS = [
  'Where is my tent',
  'Two left boots',
  'Stove makes a whistling sound',
  'Refund for the refund',
  'Zip',
];

export function addSupport(share: Share, random: Random): void {
  addTickets(share, random);
  addChats(share, random);
  addPages(share, random);
  addHarmless(share);
}

function addTickets(share: Share, random: Random): void {
  const tickets = random.times(150, (n) => {
    const { name, email, phone } = customer(random);
    const body = random.pick([
      `Please call ${phone}.`,
      'Thanks, you are all very patient.',
      `I also wrote from ${customer(random).email}.`,
      `Charged twice on ${creditCard(random)}, please undo one.`,
    ]);
    return {
      id: n + 1,
      opened: random.day(2023, 2024),
      requester: name,
      email,
      subject: random.pick(SUBJECTS),
      body,
    };
  });
  share.add('support/tickets.ndjson', ndjson(tickets));
}

function addChats(share: Share, random: Random): void {
  const confessions = [
    () => `my card is ${creditCard(random)}, is that what you need?`,
    () => `social is ${ssn(random)}. wait, do you need that for socks?`,
    () => `refund to IBAN ${iban(random, 'NL', true)} please`,
    () => `login is ${customer(random).email} and the password: ${password(random)}`,
    () => `card ${creditCard(random, '-')} and the other card ${creditCard(random, '')}`,
    () => `send it to ${customer(random).address} instead`,
  ];
  confessions.forEach((confess, n) => {
    const [agent, guest] = [colleague(random), customer(random)];
    const lines = [
      'Hi, this is Brightwater, how can I help?',
      random.pick(['the tent came without a tent', 'hello yes about the boots', 'is this a person']),
      'So sorry! Please do not send card or id numbers here.',
      confess(),
      'Thank you. I have to delete that now.',
      'ok can you delete the boots too',
    ];
    const spoken = lines.map(
      (line, turn) => `[14:0${turn}] ${turn % 2 === 0 ? agent.first : guest.first}: ${line}`,
    );
    share.add(
      `support/chats/2024-03-${String(n + 4).padStart(2, '0')}.txt`,
      `Chat with ${guest.email}\n\n${spoken.join('\n')}\n`,
    );
  });
}

function addPages(share: Share, random: Random): void {
  const row = () => {
    const { name, email } = customer(random);
    return `      <tr><td>${name}</td><td><a href="/customer/${random.int(50_001, 50_900)}">${email}</a></td><td>${creditCard(random)}</td><td>$${random.int(9, 240)}</td></tr>\n`;
  };
  share.add(
    'support/refunds-week-11.html',
    `<!doctype html>
<html lang="en">
  <head><title>Refunds, week 11</title></head>
  <body>
    <h1>Refunds, week 11</h1>
    <table>
      <tr><th>Name</th><th>Email</th><th>Card number</th><th>Amount</th></tr>
${random.times(12, row).join('')}    </table>
    <p>Questions to ${mailbox('refunds')}.</p>
  </body>
</html>
`,
  );
  const caller = customer(random);
  share.add(
    'support/call-notes.txt',
    `Calls, Thursday

09:12  ${caller.plain} rang from ${caller.phone}. Canoe delivered to neighbour. Neighbour denies canoe.
10:40  Wrong number, stayed on the line anyway, bought a hat.
11:05  Wants the order sent to ${customer(random).address}.
14:30  Mrs. ${plant('NAME', 'Ottoline Pikewell')} again. Confirmed e-mail ${customer(random).email}. Very kind about the boots.
`,
  );
}

function addHarmless(share: Share): void {
  share.add(
    'support/macros.md',
    `# Macros

## Late parcel

I am sorry your parcel is late. It is somewhere between our warehouse and your door, and so, in a sense, are we all.

## Wrong size

Send it back in any box. We once received boots in a lampshade and processed them the same day.
`,
  );
}
