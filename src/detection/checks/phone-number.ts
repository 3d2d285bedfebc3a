import { createRequire } from 'node:module';

/** The used part of libphonenumber: the numbering plans. Its parser takes 70 µs per number, a plan's pattern 0.2. */
interface Library {
  readonly Metadata: new (
    json: Json,
  ) => {
    selectNumberingPlan(country: string): void;
    readonly numberingPlan: NumberingPlan;
  };
}

interface Json {
  readonly countries: Readonly<Record<string, unknown>>;
}

interface NumberingPlan {
  callingCode(): string;
  nationalNumberPattern(): string;
  nationalPrefix(): string | undefined;
}

/** Of one country: what may follow its code, and what is dialled before it inside the country. */
interface Plan {
  readonly national: RegExp;
  readonly trunk: string;
}

/** The countries of a calling code share it: +1 is twenty-five of them. */
interface Plans {
  readonly byCode: ReadonlyMap<string, readonly Plan[]>;
  readonly byCountry: ReadonlyMap<string, Plan>;
}

let plans: Plans | null = null;

/** `digits` after the plus. A "0" that is dialled at home only, as in +41 (0)62, must be left out. */
export function isInternationalNumber(digits: string): boolean {
  plans ??= load();
  for (let length = 1; length <= 3; length++) {
    const known = plans.byCode.get(digits.slice(0, length));
    if (known) return known.some((plan) => plan.national.test(digits.slice(length)));
  }
  return false;
}

/** A number as it is dialled inside the country, with its leading 0 or the like. */
export function isNationalNumber(digits: string, country: string): boolean {
  plans ??= load();
  const plan = plans.byCountry.get(country);
  if (plan === undefined || !digits.startsWith(plan.trunk)) return false;
  return plan.national.test(digits.slice(plan.trunk.length));
}

/** Read with the first number that needs it: most texts hold none, and the plans of the world take a while to load. */
function load(): Plans {
  const require = createRequire(import.meta.url);
  const { Metadata }: Library = require('libphonenumber-js/core');
  const json: Json = require('libphonenumber-js/metadata.min.json');
  const metadata = new Metadata(json);
  const byCode = new Map<string, Plan[]>();
  const byCountry = new Map<string, Plan>();
  for (const country of Object.keys(json.countries)) {
    metadata.selectNumberingPlan(country);
    const plan = planOf(metadata.numberingPlan);
    byCountry.set(country, plan);
    const code = metadata.numberingPlan.callingCode();
    byCode.set(code, [...(byCode.get(code) ?? []), plan]);
  }
  return { byCode, byCountry };
}

function planOf(plan: NumberingPlan): Plan {
  return {
    national: new RegExp(`^(?:${plan.nationalNumberPattern()})$`),
    trunk: plan.nationalPrefix() ?? '',
  };
}
