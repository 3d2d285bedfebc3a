import { gzipSync, zstdCompressSync } from 'node:zlib';
import { leadsBzip2, leadsTable } from './bzip2-leads.ts';
import { dateOfBirth, publicIp, ukPhone } from './identifiers.ts';
import { customer, mailbox, ukAddress } from './people.ts';
import type { Random } from './random.ts';
import { password } from './secrets.ts';
import type { Share } from './share.ts';
import { csv, json, ndjson, sqlInserts, tsv, xml } from './tables.ts';
import { creditCard, iban, nino, ssn } from './values.ts';

export function addExports(share: Share, random: Random): void {
  addDelimited(share, random);
  addDocuments(share, random);
  addCompressed(share, random);
}

function addDelimited(share: Share, random: Random): void {
  const orders = random.times(700, (n) => {
    const { name, email, address } = customer(random);
    return {
      order_id: 700_001 + n,
      placed_at: `${random.day(2024, 2024)} ${random.clock()}`,
      customer: name,
      email,
      ship_to: address,
      sku: `BW-${random.pick(['TENT', 'BOOT', 'STOVE', 'HAT'])}-${random.int(100, 999)}`,
      total: `${random.int(12, 900)}.${random.digits(2)}`,
    };
  });
  share.add('exports/orders-2024.csv', csv(orders));
  const subscribers = random.times(180, () => {
    const { name, email } = customer(random);
    return { email, name, signup_ip: publicIp(random), signed_up: random.day(2018, 2024) };
  });
  share.add('exports/subscribers.tsv', tsv(subscribers));
}

function addDocuments(share: Share, random: Random): void {
  const crm = random.times(160, (n) => {
    const { name, email, phone } = customer(random);
    return {
      id: random.uuid(),
      seq: n,
      contact: { name, email, phone },
      owner: random.pick(['north', 'south', 'online']),
      score: random.int(1, 100),
    };
  });
  share.add('exports/crm.ndjson', ndjson(crm));
  const contacts = random.times(40, () => {
    const { name, email } = customer(random);
    return {
      name,
      email,
      phone: ukPhone(random),
      address: ukAddress(random),
      national_insurance_number: nino(random, ''),
    };
  });
  share.add('exports/uk-contacts.json', json({ exported: random.day(2024, 2024), contacts }));
  const partners = random.times(20, () => {
    const { name, email, phone } = customer(random);
    return { contact: name, email, phone, iban: iban(random, random.pick(['DE', 'FR', 'NL', 'GB'])) };
  });
  share.add('exports/partners.xml', xml('partners', 'partner', partners));
}

function addCompressed(share: Share, random: Random): void {
  const rows = random.times(220, (n) => {
    const { name, email } = customer(random);
    return {
      id: n + 1,
      name,
      email,
      birth_date: dateOfBirth(random),
      ssn: ssn(random),
      card_number: creditCard(random, ''),
    };
  });
  const dump = `-- shop, nightly dump\nCREATE TABLE applicants (id int, name text, email text, birth_date date, ssn text, card_number text);\n${sqlInserts('applicants', rows)}`;
  share.add('exports/backup-2024-03-01.sql.gz', dump, gzipSync);
  const events = random.times(260, (n) => ({
    n,
    type: random.pick(['viewed', 'added', 'bought', 'returned']),
    email: customer(random).email,
    ip: publicIp(random),
    at: `${random.day(2024, 2024)}T${random.clock()}Z`,
  }));
  const leak = { n: 260, type: 'signup', email: mailbox('qa'), form: { password: password(random) } };
  share.add('exports/events.jsonl.zst', ndjson([...events, leak]), zstdCompressSync);
  share.add('exports/leads-2019.csv.bz2', leadsTable(), leadsBzip2);
}
