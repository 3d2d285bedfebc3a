import { gbVatChecks } from '../../checks/britain-ireland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ukVat: Detector = formattedId({
  id: 'UK_VAT',
  title: 'UK VAT registration number',
  category: 'quasi_identifier',
  country: 'GB',
  regulations: ['gdpr'],
  risk: 3,
  check: gbVatChecks,
  forms: [{ pattern: String.raw`\d{3} ?\d{4} ?\d{2}` }],
  context: { words: ['vat', 'vat reg', 'vat registration'] },
  examples: {
    match: [
      { text: 'VAT Reg No 980 7806 84', value: '980 7806 84' },
      { text: 'VAT registration number: 980780684', value: '980780684' },
      { text: '980 7806 84', field: 'vat_number' },
    ],
    not: ['980 7806 84', 'VAT 980 7806 85', 'VAT 9807806840', 'VAT 000 0000 00'],
  },
});
