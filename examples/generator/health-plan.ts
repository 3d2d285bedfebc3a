import { dateOfBirth, mrn, ukPhone } from './identifiers.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import type { Share } from './share.ts';
import { csv, json, xml } from './tables.ts';
import { dea, medicareId, nhsNumber, npi } from './values.ts';

const CODES = ['J20.9', 'S93.4', 'T63.4', 'M54.5', 'W56.2'];
const MEDICINES = ['amoxicillin 500 mg', 'ibuprofen 600 mg', 'cetirizine 10 mg', 'hydrocortisone cream'];

export function addHealthPlan(share: Share, random: Random): void {
  addMembers(share, random);
  addClaims(share, random);
  addLetters(share, random);
  addHarmless(share);
}

function addMembers(share: Share, random: Random): void {
  const members = random.times(48, () => {
    const { name, email } = colleague(random);
    return {
      member: name,
      email,
      date_of_birth: dateOfBirth(random),
      mrn: mrn(random),
      plan: random.pick(['Creek', 'River', 'Ocean']),
    };
  });
  share.add('health-plan/members.csv', csv(members));
  const retirees = random.times(15, () => ({
    retiree: customer(random).name,
    medicare_id: medicareId(random, random.pick(['-', ''])),
    birth_date: dateOfBirth(random),
  }));
  share.add('health-plan/retirees-medicare.csv', csv(retirees));
  const british = random.times(14, () => ({
    patient: colleague(random).name,
    nhs_number: nhsNumber(random, random.pick([' ', '-', ''])),
    surgery: random.pick(['Weir Lane', 'Quay Street']),
    phone: ukPhone(random),
  }));
  share.add('health-plan/uk-occupational-health.csv', csv(british));
}

function addClaims(share: Share, random: Random): void {
  const claim = (n: number) => ({
    claim: `C-${90_100 + n}`,
    mrn: mrn(random),
    provider_npi: npi(random),
    diagnosis: random.pick(CODES),
    billed: `${random.int(60, 2400)}.00`,
  });
  share.add('health-plan/claims-2024-q1.csv', csv(random.times(80, claim)));
  share.add(
    'health-plan/claims-resubmitted.xml',
    xml(
      'claims',
      'claim',
      random.times(12, (n) => claim(n + 200)),
    ),
  );
  const providers = random.times(10, () => {
    const { last, phone } = customer(random);
    return {
      provider: `${last} Family Practice`,
      npi: npi(random),
      phone,
      email: mailbox('frontdesk', `${last.toLowerCase().replace('-', '')}.example`),
    };
  });
  share.add('health-plan/provider-directory.json', json({ network: 'River', providers }));
}

function addLetters(share: Share, random: Random): void {
  const scripts = random.times(9, () => {
    const doctor = customer(random);
    const patient = colleague(random);
    return `Rx  Patient: ${patient.name}  DOB: ${dateOfBirth(random, 'us')}  MRN: ${mrn(random)}
    ${random.pick(MEDICINES)}, as directed
    Dr. ${doctor.last}  DEA# ${dea(random, doctor.last)}  NPI: ${npi(random)}
`;
  });
  share.add(
    'health-plan/prescriptions-faxed.txt',
    `Faxed to the plan office by mistake. Filed by mistake. Kept by mistake.\n\n${scripts.join('\n')}`,
  );
  const patient = colleague(random);
  share.add(
    'health-plan/letters/referral-wrist.txt',
    `Dear colleague,

Re: ${patient.name}, born ${dateOfBirth(random)}, medical record number ${mrn(random)}

Thank you for seeing this kayak technician with a sore wrist. It hurts when rolling a kayak and,
less plausibly, when filling in timesheets.
Referring provider NPI ${npi(random)}
`,
  );
  share.add(
    'health-plan/letters/appeal-bee-sting.txt',
    `Appeal of claim C-90177
Member: ${colleague(random).name}
Medicare number: ${medicareId(random)}
MRN: ${mrn(random)}

The claim was denied as "not an accident". We attach a statement by the bees' keeper.
`,
  );
}

function addHarmless(share: Share): void {
  share.add(
    'health-plan/wellness-challenge.md',
    `# Step challenge

Teams of four, all of May. Steps in a boat do not count; steps to a boat do.
Last year's winner was the warehouse, by a forklift's length. The forklift has been disqualified.
`,
  );
}
