import { colleague, customer } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { csv } from './tables.ts';
import { bitcoinAddress, ssn, vin } from './values.ts';

export function addFinanceTreasury(share: Share, random: Random): void {
  addTreasury(share, random);
  addHarmless(share, random);
}

function addTreasury(share: Share, random: Random): void {
  for (const plain of ['boat-builder']) {
    const { name, address } = customer(random);
    share.add(
      `finance/tax/w9-${plain}.txt`,
      `Form W-9 (typed copy)
Name: ${name}
Address: ${address}
Taxpayer identification, SSN: ${ssn(random)}
Signed ${random.day(2023, 2024)}
`,
    );
  }
  share.add(
    'finance/treasury/bitcoin-experiment.md',
    `# The bitcoin experiment (closed)

A customer asked to pay for a canoe in bitcoin. We said yes before asking Finance.

- received at ${bitcoinAddress(random)}
- swept to ${bitcoinAddress(random)}

Outcome: the canoe has appreciated more.
`,
  );
  const fleet = random.times(16, (n) => ({
    unit: `TRK-${n + 1}`,
    vin: vin(random),
    driver: colleague(random).name,
    odometer: random.int(900, 190_000),
    nickname: random.pick(['Mabel', 'The Beige One', 'Leaky', 'Sir Honks']),
  }));
  share.add('finance/fleet.csv', csv(fleet));
}

function addHarmless(share: Share, random: Random): void {
  const lines = ['Rent', 'Wages', 'Freight', 'Window displays', 'Bear costume, cleaning', 'Coffee'];
  share.add(
    'finance/budget-2024.csv',
    csv(lines.map((line) => ({ line, planned: random.int(800, 90_000), spent: random.int(500, 95_000) }))),
  );
}
