import { matriculeChecks } from '../../checks/national/benelux.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const luxembourg: readonly Detector[] = [
  formattedId({
    id: 'LU_MATRICULE',
    title: 'Luxembourg national identification number',
    category: 'direct_identifier',
    country: 'LU',
    regulations: ['gdpr'],
    risk: 9,
    check: matriculeChecks,
    forms: [
      { pattern: String.raw`(?:18|19|20)\d{11}` },
      { pattern: String.raw`(?:18|19|20)\d\d ?\d{4} ?\d{5}` },
      { pattern: String.raw`(?:18|19|20)\d\d \d\d \d\d \d{3} \d\d` },
    ],
    context: {
      words: [
        'matricule',
        "numéro d'identification",
        "numero d'identification",
        'cns',
        'sozialversicherungsnummer',
        'national id',
        'national identification',
        'national identity',
      ],
    },
    examples: {
      match: [
        { text: 'Matricule : 1893120105732', value: '1893120105732' },
        { text: 'matricule 1984 0917 28408', value: '1984 0917 28408' },
        { text: '2001030511791', field: 'matricule' },
      ],
      not: [
        '1893120105732',
        'matricule 1893120105733',
        'matricule 1893130105732',
        'matricule 18931201057320',
      ],
    },
  }),
];
