/** Notes that were typed into the first program at hand. */
import { driverLicense } from './identifiers.ts';
import { colleague, customer } from './people.ts';
import type { Random } from './random.ts';
import { password } from './secrets.ts';
import type { Share } from './share.ts';
import { creditCard, vin } from './values.ts';
import { type RichText, richText } from './writers/rich-text.ts';

export function addNoteDocuments(share: Share, random: Random): void {
  share.addDocument('notes/van-and-the-gatepost.rtf', accident(random), richText);
}

function accident(random: Random): RichText {
  const [author, driver, owner] = [colleague(random), colleague(random), customer(random)];
  return {
    title: 'The van and the gatepost',
    author: author.plain,
    paragraphs: [
      'The van met the gatepost at “about walking pace”. The gatepost was not walking.',
      `Driver: ${driver.name}, driver's license ${driverLicense(random)}. Nobody was hurt; the café had to wait.`,
      `The post belongs to ${owner.plain}, ${owner.address}, phone ${owner.phone}, ${owner.email}.`,
      `Paid at once with card ${creditCard(random)}. He gave us eggs.`,
    ],
    table: [
      ['Vehicle', 'VIN'],
      ['Van “Heron”', vin(random)],
      ['Trailer', vin(random)],
    ],
    hidden: `Insurance portal, password: ${password(random)}`,
  };
}
