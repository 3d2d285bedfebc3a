import { nussChecks } from '../../checks/spain.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const esSocialSecurity: Detector = formattedId({
  id: 'ES_SOCIAL_SECURITY',
  title: 'Spanish social security number (NUSS)',
  category: 'direct_identifier',
  country: 'ES',
  regulations: ['gdpr'],
  risk: 9,
  check: nussChecks,
  forms: [
    { pattern: String.raw`\d\d/\d{8}/\d\d`, free: true },
    { pattern: String.raw`\d\d[ -]\d{8}[ -]\d\d` },
    { pattern: String.raw`\d{12}` },
  ],
  context: { words: ['nuss', 'naf', 'seguridad social', 'afiliación', 'afiliacion'] },
  examples: {
    match: [
      '28/12345678/40',
      { text: 'NUSS 460087123582', value: '460087123582' },
      { text: 'Seguridad Social: 08 12345981 81', value: '08 12345981 81' },
      { text: '280348217058', field: 'nuss' },
    ],
    not: ['28/12345678/41', '460087123582', 'NUSS 460087123583', 'NUSS 990087123582', '128/12345678/40'],
  },
});
