import { dateOfBirth } from './identifiers.ts';
import { customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { csv, json, ndjson } from './tables.ts';
import { creditCard, iban, ssn } from './values.ts';

const REMARKS = [
  'Boots arrived. Feet arrived too. Good match.',
  'The tent is smaller than my marriage but drier.',
  'My dog prefers the box.',
];

export function addCustomers(share: Share, random: Random): void {
  addRegisters(share, random);
  addLists(share, random);
  addWholesale(share, random);
}

function addRegisters(share: Share, random: Random): void {
  const rows = random.times(900, (n) => {
    const { name, email, phone, address } = customer(random);
    return {
      customer_id: 50_001 + n,
      name,
      email,
      phone,
      address,
      since: random.day(2012, 2024),
    };
  });
  share.add('customers/customers.csv', csv(rows));
  const members = random.times(240, (n) => {
    const { name, email } = customer(random);
    return {
      member: `L${7000 + n}`,
      name,
      email,
      date_of_birth: dateOfBirth(random),
      points: random.int(0, 9000),
      tier: random.pick(['pebble', 'cobble', 'boulder']),
    };
  });
  share.add('customers/loyalty.ndjson', ndjson(members));
  const vips = random.times(9, () => {
    const { name, email, phone, address } = customer(random);
    return {
      name,
      contact: { email, phone },
      address,
      note: random.pick([
        'prefers to be called Captain',
        'buys one of everything in green',
        'never call before the tide turns',
      ]),
    };
  });
  share.add('customers/vip.json', json({ updated: random.day(2024, 2024), vips }));
}

function addLists(share: Share, random: Random): void {
  const disputes = random.times(22, (n) => {
    const { name, email } = customer(random);
    return {
      case: `CB-${880 + n}`,
      name,
      email,
      card: creditCard(random, random.pick(['', ' ', '-'])),
      reason: random.pick(['not received', 'not as described', 'cat ordered it']),
    };
  });
  share.add('customers/chargebacks.csv', csv(disputes));
  const readers = random.times(120, () => customer(random).email);
  share.add('customers/newsletter-subscribers.txt', `${readers.join('\n')}\n`);
  const survey = random.times(40, (n) => {
    const { plain, email, phone } = customer(random);
    const remark = random.pick(REMARKS);
    const signed = random.pick([
      `${remark} ${plain}, ${email}`,
      `${remark} Ring me on ${phone}`,
      remark,
      remark,
    ]);
    return { response: n + 1, stars: random.int(1, 5), comment: signed };
  });
  share.add('customers/survey-2024.csv', csv(survey));
}

function addWholesale(share: Share, random: Random): void {
  const account = (shop: string) => {
    const { name, email, phone } = customer(random);
    return `  - shop: ${shop}
    contact: ${name}
    email: ${email}
    phone: "${phone}"
    iban: ${iban(random, random.pick(['DE', 'NL', 'FR']))}
`;
  };
  share.add(
    'customers/wholesale/accounts.yaml',
    `# Shops that buy by the crate\naccounts:\n${['Wet Socks', 'Zum Nassen Hund', 'Le Caillou', 'De Natte Laars'].map(account).join('')}`,
  );
  for (const shop of ['driftwood-and-daughters']) {
    const owner = customer(random);
    share.add(
      `customers/wholesale/credit-application-${shop}.txt`,
      `CREDIT APPLICATION, ${shop}

Owner: ${owner.name}
Date of birth: ${dateOfBirth(random, 'us')}
Social security number: ${ssn(random)}
Home address: ${owner.address}
Telephone: ${owner.phone}
Copy to ${mailbox('credit')}

Requested limit: 12 canoes.
`,
    );
  }
}
