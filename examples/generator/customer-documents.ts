/** What customers sent, said and wrote into a book. */
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { creditCard, iban } from './values.ts';
import { type Book, book } from './writers/book.ts';
import { type OpenText, openText } from './writers/open-document.ts';

export function addCustomerDocuments(share: Share, random: Random): void {
  share.addDocument('customers/letters.odt', letters(random), openText);
  share.addDocument('customers/guest-book.epub', guestBook(random), book);
}

function letters(random: Random): OpenText {
  const [sender, debtor, poet, clerk] = [
    customer(random),
    customer(random),
    customer(random),
    colleague(random),
  ];
  return {
    title: 'Letters, typed in from paper',
    author: clerk.plain,
    blocks: [
      { heading: 'About a tent' },
      `${sender.plain}\n${sender.address}`,
      'Dear Brightwater, the tent is excellent, and it is not the one that I ordered. I keep it. Please take the difference from my card, which you have lost before:',
      {
        text: `card number   ${creditCard(random)}`,
        remark: `Told her to call instead. ${clerk.email}`,
        by: clerk.plain,
      },
      { heading: 'About the money' },
      `${debtor.plain}\n${debtor.address}\nphone ${debtor.phone}`,
      `Please pay it back to IBAN ${iban(random, 'GB', true)}, and tell me at ${debtor.email} when it is done.`,
      { heading: 'About the river' },
      'It was there before you, and it will be there after you. I enclose a poem.',
      `${poet.plain}\n${poet.address}`,
    ],
  };
}

function guestBook(random: Random): Book {
  const days = ['Saturday', 'Sunday', 'The day of the hail'];
  const praise = [
    'Bought a hat. Lost a hat. Bought a hat.',
    'The man with the ropes was very kind about my knots.',
    'I came for directions and own a tent now.',
    'The dog liked it. The dog has bought insoles.',
  ];
  return {
    title: 'The guest book of the Portland store',
    author: 'Brightwater Outfitters',
    chapters: days.map((title) => ({
      title,
      paragraphs: random
        .times(4, () => {
          const { plain, email, phone } = customer(random);
          const contact = random.pick([`Write to me: ${email}`, `Call me on ${phone}.`]);
          return `${random.pick(praise)} ${contact} ${plain}`;
        })
        .concat(
          title === 'Sunday'
            ? [`Found on the counter: card ${creditCard(random)}. Given to ${mailbox('lost-property')}.`]
            : [],
        ),
    })),
  };
}
