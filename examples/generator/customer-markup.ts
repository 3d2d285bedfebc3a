/** Markup: values in attributes, and numbers that are split by tags but displayed as one. */
import { customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { creditCard, iban } from './values.ts';
import { escaped } from './writers/xml.ts';

export function addCustomerMarkup(share: Share, random: Random): void {
  share.addDocument('customers/club-members.xml', members(random), club);
  share.addDocument('support/warranty-claims.html', claims(random), claimsPage);
}

interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly iban: string;
  readonly remark: string;
}

function members(random: Random): Member[] {
  return random.times(12, (n) => {
    const { name, email } = customer(random);
    const remark = n % 3 === 0 ? 'Fish & chips on Fridays < twice a month' : 'Brings a <dog>';
    return { id: `M${300 + n}`, name, email, iban: iban(random, random.pick(['DE', 'NL', 'FR'])), remark };
  });
}

/** Values in attributes, elements and sections of plain characters. */
function club(members: readonly Member[]): Buffer {
  const one = ({ id, name, email, iban, remark }: Member) =>
    `  <c:member id="${id}" email="${escaped(email)}">\n    <c:name>${escaped(name)}</c:name>\n    <c:account type="IBAN">${iban}</c:account>\n    <c:remark><![CDATA[${remark}]]></c:remark>\n  </c:member>\n`;
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<c:club xmlns:c="urn:brightwater:club" year="2024">\n${members.map(one).join('')}</c:club>\n`,
  );
}

interface Claim {
  readonly name: string;
  readonly email: string;
  readonly card: string;
  readonly what: string;
}

interface Claims {
  readonly claims: readonly Claim[];
  readonly forgotten: string;
}

function claims(random: Random): Claims {
  const what = ['Zip <three> broke', 'Leaks & creaks', 'Sole left on its own', 'Shrank, or I grew'];
  return {
    claims: random.times(10, () => {
      const { name, email } = customer(random);
      return { name, email, card: creditCard(random), what: random.pick(what) };
    }),
    forgotten: `ask ${mailbox('warranty')} before the launch`,
  };
}

/** Numbers as a designer sets them: spaces that do not break, or every other group in bold; and an @ that robots miss. */
function claimsPage({ claims, forgotten }: Claims): Buffer {
  const spaced = (card: string) => card.replaceAll(' ', '&nbsp;');
  const bold = (card: string) => card.replace(/ (\d+) /, '<b>$1</b>').replace(' ', '');
  const row = ({ name, email, card, what }: Claim, n: number) =>
    `<tr><td>${name.replace(' ', '&#32;')}</td><td>${email.replace('@', '&#64;')}</td><td>${n % 2 === 0 ? spaced(card) : bold(card)}</td><td>${escaped(what)}</td></tr>\n`;
  return Buffer.from(
    `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Warranty claims</title>\n<style>td { padding: 4px }</style></head>\n<body>\n<h1>Warranty claims</h1>\n<!-- ${forgotten} -->\n<table>\n<tr><th>Name</th><th>E-mail</th><th>Card number</th><th>Complaint</th></tr>\n${claims.map(row).join('')}</table>\n</body>\n</html>\n`,
  );
}
