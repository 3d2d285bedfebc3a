import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Eight digits alone are ambiguous; after a sort code they are an account. */
export const ukBankAccount: Detector = formattedId({
  id: 'UK_BANK_ACCOUNT',
  title: 'UK bank account: sort code and account number',
  category: 'financial',
  country: 'GB',
  regulations: ['gdpr'],
  risk: 8,
  confidence: 0.85,
  context: {
    words: [
      'sort code',
      'sort',
      'account',
      'account no',
      'account number',
      'acc',
      'bank',
      'bank details',
      'payee',
      'bacs',
      'direct debit',
      'pay to',
    ],
  },
  forms: [
    { pattern: String.raw`\d{2}-\d{2}-\d{2}[ ,/]{1,3}\d{8}` },
    {
      pattern: String.raw`\d{2}-\d{2}-\d{2}[ ,/;]{1,3}(?:A/C|a/c|Account|account|Acct|Acc|acc)(?: [Nn]umber| [Nn]o\.?)?[ :]{1,2}\d{8}`,
    },
    { pattern: String.raw`\d{6}[ /]{1,3}\d{8}` },
  ],
  plausible: (plain) => /[1-9]/.test(plain.slice(0, 6)) && !/(\d)\1{7}$/.test(plain),
  examples: {
    match: [
      { text: 'Sort code and account: 20-00-00 55779911', value: '20-00-00 55779911' },
      { text: 'Sort code 60-83-71, account 10203040', value: '60-83-71, account 10203040' },
      { text: 'Bank details: 309089 / 73920146', value: '309089 / 73920146' },
    ],
    not: [
      '20-00-00 55779911',
      'sort code 20-00-00 5577991',
      'bank 20-00-00 557799112',
      'account 00-00-00 12345678',
    ],
  },
});
