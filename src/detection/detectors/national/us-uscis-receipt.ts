import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** The first three letters are the service center. */
export const usUscisReceipt: Detector = {
  ...formattedId({
    id: 'US_USCIS_RECEIPT',
    title: 'US immigration receipt number',
    category: 'direct_identifier',
    country: 'US',
    regulations: ['gdpr', 'ccpa'],
    risk: 6,
    confidence: 0.8,
    forms: [{ pattern: String.raw`(?:EAC|WAC|LIN|SRC|NBC|MSC|IOE|YSC)\d{10}`, free: true }],
    context: { words: ['receipt number', 'receipt no', 'uscis', 'case number', 'i 797', 'immigration'] },
    examples: {
      match: [
        'IOE0912345678',
        { text: 'Receipt number WAC2190123456', value: 'WAC2190123456' },
        { text: 'MSC2091234567', field: 'receipt_number' },
      ],
      not: ['IOE091234567', 'XYZ0912345678', 'AIOE0912345678', 'IOE09123456789'],
    },
  }),
  standing: 'issued',
};
