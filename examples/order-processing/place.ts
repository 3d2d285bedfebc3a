/** Places orders: `node place.ts [NUMBER]`. One in ten is of an unusual kind. Placed again under the same number, an order is not doubled. */
import { openWorkflows, type WorkflowClient } from 'seine/workflows';
import { type OrderCommand, order } from './order.ts';

const AT_ONCE = 250;

export async function placeOrders(
  client: WorkflowClient,
  many: number,
  placed: (so_far: number) => void = () => {},
): Promise<void> {
  for (let first = 0; first < many; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, many - first) }, (_, i) => first + i);
    const sent = numbers.map((n) => ({ id: `order-${n}`, command: purchase(n), commandId: `place ${n}` }));
    const refused = (await client.sendAll(order, sent)).find(
      ({ outcome }) => outcome !== 'accepted' && outcome !== 'repeated',
    );
    if (refused) throw new Error(`an order was not placed: ${JSON.stringify(refused)}`);
    placed(first + numbers.length);
  }
}

function purchase(n: number): OrderCommand {
  const plain = {
    type: 'place',
    card: '4000-1',
    cents: 100 + (n % 5000),
    address: 'Quay 3, Harwich',
  } as const;
  if (n % 40 === 1) return { ...plain, card: '4000-2' }; // declined
  if (n % 40 === 11) return { ...plain, card: '4000-9' }; // charged, but the first answer is lost
  if (n % 40 === 21) return { ...plain, address: 'the moon' }; // charged, then refunded
  if (n % 40 === 31) return { ...plain, address: 'nowhere' }; // the carrier never answers: refunded when time is up
  return plain;
}

if (import.meta.main) {
  const client = await openWorkflows();
  const many = Number(process.argv[2] ?? 10_000);
  await placeOrders(client, many, (n) => process.stdout.write(`\r${n} of ${many} orders placed`));
  process.stdout.write('\n');
  await client.close();
}
