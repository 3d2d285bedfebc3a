/** Numbers of parcels, orders, parts, books and places. */
import { luhnDigit } from './checksums.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { csv } from './tables.ts';

export function addLookAlikeNumbers(share: Share, random: Random): void {
  const parcels = random.times(40, () => {
    const [carrier, tracking_number] = random.pick([
      ['UPS', `1Z999AA1${random.digits(10)}`],
      ['USPS', `94001${random.digits(17)}`],
      ['FedEx', `7${random.digits(11)}`],
      ['Amazon', `TBA${random.digits(12)}`],
    ] as const);
    return { carrier, tracking_number };
  });
  share.add('look-alikes/parcel-tracking.csv', csv(parcels));
  const orders = random.times(60, () => ({
    order_number: notACard(random, random.int(13, 19)),
    invoice_number: notACard(random, 16),
    boxes: random.int(1, 5),
  }));
  share.add('look-alikes/order-and-invoice-numbers.csv', csv(orders));
  const parts = random.times(30, () => ({
    sku: `BW-${random.digits(4)}-${random.digits(3)}-${random.digits(3)}`,
    part: `${random.digits(2)}-415-555-${random.digits(4)}-${random.digits(2)}`,
    bin: `${random.pick(['A', 'B'])}${random.digits(2)}.${random.digits(2)}`,
  }));
  share.add('look-alikes/sku-codes.csv', csv(parts));
  const books = ['978-0-306-40615-7', '9780306406157', '0-306-40615-2', '978-3-16-148410-0', '9783161484100'];
  share.add(
    'look-alikes/isbn-list.txt',
    `Books for the shop window

${books.map((isbn) => `ISBN ${isbn}`).join('\n')}
`,
  );
  const stores = random.times(30, (n) => ({
    store: n + 1,
    latitude: `4${random.int(3, 8)}.${random.digits(6)}`,
    longitude: `-12${random.int(0, 3)}.${random.digits(6)}`,
    elevation_m: random.int(2, 900),
  }));
  share.add('look-alikes/store-coordinates.csv', csv(stores));
}

/** Digits that begin like a card and end with the wrong check digit. */
export function notACard(random: Random, length: number): string {
  const body = random.pick(['4', '51', '37', '6011']) + random.digits(length);
  const cut = body.slice(0, length - 1);
  return cut + String((Number(luhnDigit(cut)) + random.int(1, 9)) % 10);
}
