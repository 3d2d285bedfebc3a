import type { Detector } from '../../detector.ts';
import { labelledId } from '../../families/labelled-id.ts';

export const accountNumber: Detector = labelledId({
  id: 'ACCOUNT_NUMBER',
  title: 'Bank account number',
  category: 'financial',
  regulations: ['glba', 'gdpr', 'ccpa'],
  risk: 7,
  confidence: 0.75,
  prefilters: [{ pattern: String.raw`\b\d{6,17}\b` }, { pattern: String.raw`\b\d{2,6}-\d{2,10}` }],
  shape: /^(?:\d{6,17}|\d{2,6}-\d{3,10}(?:-\d{1,4})?|\d{3,6}-\d{2,6}-\d{2,8})$/,
  plausible: (value) => !DATE.test(value) && !/^(\d)\1+$/.test(value),
  context: {
    words: [
      'account number',
      'account no',
      'account nr',
      'account num',
      'acct',
      'acct no',
      'acct number',
      'acct num',
      'acc no',
      'bank account',
      'bank acct',
      'checking account',
      'savings account',
      'deposit account',
      'beneficiary account',
      'current account',
      'account holder',
      'kontonummer',
      'konto nr',
      'bankkonto',
      'numero de compte',
      'numero de cuenta',
      'numero de conta',
      'rekeningnummer',
    ],
  },
  examples: {
    match: [
      { text: 'Account number: 1234567890', value: '1234567890' },
      { text: 'please debit checking account 004512-887', value: '004512-887' },
      { text: '000123456789', field: 'bank_account_number' },
      { text: 'Kontonummer 532013000', value: '532013000' },
    ],
    not: [
      '1234567890',
      'account number 12345',
      'account number 2024-01-31',
      'account number 000000000',
      'account number 123456789012345678',
    ],
  },
});

const DATE = /^(?:19|20)\d\d-?[01]\d-?[0-3]\d$/;
