import { clabeChecks } from '../../checks/national/north-america.ts';
import { cbuChecks } from '../../checks/national/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';
import { idTokens, labelledId } from '../../families/ids/labelled-id.ts';

const DATE = /^(?:19|20)\d\d-?[01]\d-?[0-3]\d$/;

/** Account and loan numbers. */
export const bankAccounts: readonly Detector[] = [
  labelledId({
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
  }),
  formattedId({
    id: 'AR_CBU',
    title: 'Argentine bank account (CBU)',
    category: 'financial',
    country: 'AR',
    regulations: ['glba', 'gdpr', 'ccpa'],
    risk: 8,
    confidence: 0.9,
    forms: [{ pattern: String.raw`\d{8}[ -]\d{14}` }, { pattern: String.raw`\d{22}` }],
    check: cbuChecks,
    context: { words: ['cbu', 'cvu', 'clave bancaria'] },
    examples: {
      match: [
        { text: 'CBU: 2850590940090418135201', value: '2850590940090418135201' },
        { text: 'CBU 01700992 40000067735884', value: '01700992 40000067735884' },
        { text: '0170099240000067735884', field: 'cbu' },
      ],
      not: [
        '2850590940090418135201',
        'CBU 2850590940090418135202',
        'CBU 2850590840090418135201',
        'CBU 28505909400904181352010',
      ],
    },
  }),
  labelledId({
    id: 'LOAN_NUMBER',
    title: 'Loan or mortgage number',
    category: 'financial',
    regulations: ['glba', 'ccpa'],
    risk: 6,
    confidence: 0.75,
    prefilters: [...idTokens([6, 15], [7, 16]), { pattern: String.raw`\b[A-Z]{1,4}-\d{5,12}` }],
    shape: /^(?:\d{6,15}|[A-Z]{1,4}-?\d{5,12}|\d{2,6}-\d{4,10})$/,
    plausible: (value) => !/^(?:19|20)\d\d-?[01]\d-?[0-3]\d$/.test(value),
    context: {
      words: [
        'loan number',
        'loan no',
        'loan id',
        'loan account',
        'loan acct',
        'mortgage number',
        'mortgage no',
        'mortgage account',
        'mortgage id',
        'lease number',
        'credit line number',
        'student loan',
      ],
    },
    examples: {
      match: [
        { text: 'Loan number: 0048392017', value: '0048392017' },
        { text: 'mortgage account LN-4839201', value: 'LN-4839201' },
        { text: 'ABC00483920', field: 'loan_id' },
      ],
      not: ['0048392017', 'loan number 12345', 'loan number 2024-01-31', 'loan of 4839201 dollars'],
    },
  }),
  formattedId({
    id: 'MX_CLABE',
    title: 'Mexican bank account (CLABE)',
    category: 'financial',
    country: 'MX',
    regulations: ['glba', 'gdpr', 'ccpa'],
    risk: 8,
    confidence: 0.9,
    forms: [{ pattern: String.raw`\d{3} \d{3} \d{11} \d` }, { pattern: String.raw`\d{18}` }],
    check: clabeChecks,
    context: { words: ['clabe', 'cuenta clabe', 'clabe interbancaria', 'interbancaria'] },
    examples: {
      match: [
        { text: 'CLABE: 032180000118359719', value: '032180000118359719' },
        { text: 'clabe interbancaria 012 180 00123456789 9', value: '012 180 00123456789 9' },
        { text: '072580009876543211', field: 'clabe' },
      ],
      not: [
        '032180000118359719',
        'CLABE 032180000118359718',
        'CLABE 0321800001183597190',
        'CLABE 999180000118359719',
      ],
    },
  }),
  // Eight digits alone are ambiguous; after a sort code they are an account.
  formattedId({
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
  }),
];
