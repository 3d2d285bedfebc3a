import { dateOfBirth, driverLicense } from './identifiers.ts';
import { colleague, customer } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { card, json } from './tables.ts';
import { abaRouting, ssn } from './values.ts';

export function addHrPapers(share: Share, random: Random): void {
  addStarters(share, random);
  addPaperwork(share, random);
  addHarmless(share);
}

function addStarters(share: Share, random: Random): void {
  for (const start of ['2024-01-08', '2024-04-15']) {
    const { name, email, phone, address } = colleague(random);
    const details = card({
      Name: name,
      'Work email': email,
      Phone: phone,
      Address: address,
      'Date of birth': dateOfBirth(random, 'us'),
      SSN: ssn(random),
      "Driver's license": driverLicense(random),
    });
    const path = `hr/onboarding/new starter ${start}.txt`;
    share.add(
      path,
      `NEW STARTER SHEET
First day ${start}. Please have the waders ready in the right size this time.

${details}
Bank: routing number ${abaRouting(random)}, account ending ${random.digits(4)}

Allergies: none declared (asked twice after the picnic).
`,
    );
  }
}

function addPaperwork(share: Share, random: Random): void {
  const enrolments = random.times(12, () => {
    const { name, email } = colleague(random);
    return {
      name,
      email,
      date_of_birth: dateOfBirth(random),
      ssn: ssn(random),
      plan: random.pick(['Creek', 'River', 'Ocean']),
      dependants: random.int(0, 4),
    };
  });
  share.add('hr/benefits-enrolment.json', json({ year: 2024, enrolments }));
  const leaver = colleague(random);
  share.add(
    'hr/exit-interview.txt',
    `Exit interview, ${random.day(2023, 2023)}

With ${leaver.plain}. Leaving to open a cheese shop, wishes us well.
Forward the last statement to ${leaver.address}; personal mail ${customer(random).email},
phone ${leaver.phone}. SSN on the W-2 was wrong last year, the right one is ${ssn(random)}.

Would come back? "If the cheese fails."
`,
  );
}

function addHarmless(share: Share): void {
  share.add(
    'hr/handbook.md',
    `# The Brightwater handbook

We sell things that keep people dry, and we answer the phone.

## Hours

Stores open at nine. If the river is over the car park, stores open when it is not.

## Dogs

Dogs are welcome. Dogs that eat insoles are welcome on a lead.

## Expenses

Keep the receipt. A photograph of the receipt in a puddle counts, if it can be read.

## Confidential things

Customer details live in the customer system, not in your notes, not in chat, and not on the whiteboard
behind the coffee machine. We know about the whiteboard.
`,
  );
}
