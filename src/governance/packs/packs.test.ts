import { describe, expect, it } from 'vitest';
import { catalogue } from '../../detection/catalogue.ts';
import { BUILTIN_POLICIES } from '../policies/builtin.ts';
import { namesIn } from '../policies/policy.ts';
import { knownSelectors } from '../policies/select.ts';
import { DEFAULT_RULES } from '../rule-set.ts';
import { findPack, idsOfPacks, inPack, PACK_NAMES, PACKS, packsWith } from './packs.ts';
import { withRequestedPacks } from './with-packs.ts';

const ids = catalogue.map(({ id }) => id);
const of = (name: string) => idsOfPacks([findPack(name)!], catalogue);

describe('the packs', () => {
  it.each(PACKS.map((pack) => [pack.name, pack] as const))(
    '%s names only detectors that exist',
    (_, pack) => {
      const { detectors = [], without = [] } = pack;
      expect([...detectors, ...without].filter((id) => !ids.includes(id))).toEqual([]);
    },
  );

  it.each(PACK_NAMES)('%s selects something, and not everything', (name) => {
    expect(of(name).length).toBeGreaterThan(0);
    expect(of(name).length).toBeLessThan(ids.length);
  });

  it('are the ten documented ones', () => {
    expect(PACK_NAMES.toSorted()).toEqual(
      ['ccpa', 'ferpa', 'gdpr', 'glba', 'hipaa', 'pci', 'phi', 'pii', 'secrets', 'soc2'].toSorted(),
    );
  });

  it.each([
    ['pci', ['CREDIT_CARD', 'CARD_SECURITY_CODE'], ['EMAIL', 'MRN', 'IBAN']],
    ['pii', ['SSN', 'EMAIL', 'NAME', 'PASSPORT'], ['GITHUB_TOKEN']],
    ['phi', ['MRN', 'HEALTH_PLAN_ID', 'NAME'], ['GITHUB_TOKEN', 'CREDIT_CARD']],
    ['secrets', ['PASSWORD', 'GITHUB_TOKEN', 'PRIVATE_KEY'], ['EMAIL', 'CREDIT_CARD']],
    ['hipaa', ['SSN', 'MRN'], ['GITHUB_TOKEN']],
    ['gdpr', ['SSN', 'EMAIL'], ['GITHUB_TOKEN']],
    ['glba', ['SSN'], ['GITHUB_TOKEN']],
    ['soc2', ['PASSWORD'], []],
  ])('%s has %j and not %j', (name, has, hasNot) => {
    expect(of(name)).toEqual(expect.arrayContaining(has));
    expect(of(name).filter((id) => hasNot.includes(id))).toEqual([]);
  });

  it('exclude the detectors that they name as excluded', () => {
    const pack = { name: 'x', title: 'x', categories: ['contact'] as const, without: ['EMAIL'] };
    const sort = (id: string) => ({ id, category: 'contact' as const, regulations: [] });
    expect([inPack(pack, sort('EMAIL')), inPack(pack, sort('PHONE'))]).toEqual([false, true]);
  });

  it('are returned for a detector', () => {
    expect(packsWith(catalogue.find(({ id }) => id === 'PASSWORD')!)).toEqual(['secrets', 'soc2']);
  });

  it('on the command line narrow rules with all detectors enabled, and widen those that list some', () => {
    const rules = withRequestedPacks(DEFAULT_RULES, ['PCI'], catalogue);
    expect(rules).toMatchObject({ packsAsked: ['pci'], detectors: { include: of('pci') } });
    const named = { ...DEFAULT_RULES, detectors: { include: ['EMAIL'], exclude: [] } };
    expect(withRequestedPacks(named, ['pci'], catalogue).detectors.include).toEqual(['EMAIL', ...of('pci')]);
  });
});

describe('the policies that come with Seine', () => {
  const selectors = knownSelectors(catalogue, PACK_NAMES);

  it.each(BUILTIN_POLICIES.map((policy) => [policy.id, policy] as const))(
    '%s names only what exists',
    (_, policy) => {
      expect(namesIn(policy).filter((name) => !selectors.includes(name))).toEqual([]);
    },
  );

  it('are the eight documented ones', () => {
    expect(BUILTIN_POLICIES.map(({ id }) => id).toSorted()).toEqual(
      ['hipaa', 'pci_dss', 'gdpr', 'ccpa', 'glba', 'ferpa', 'soc2', 'credentials'].toSorted(),
    );
  });
});
