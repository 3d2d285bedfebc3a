import { cifChecks } from '../../checks/spain.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const esCif: Detector = formattedId({
  id: 'ES_CIF',
  title: 'Spanish company tax number (CIF)',
  category: 'quasi_identifier',
  country: 'ES',
  regulations: ['gdpr'],
  risk: 3,
  check: cifChecks,
  forms: [{ pattern: String.raw`[ABCDEFGHJNPQRSUVW]-?\d{7}-?[0-9A-J]` }],
  context: { words: ['cif', 'nif', 'identificación fiscal', 'identificacion fiscal'] },
  examples: {
    match: [
      { text: 'CIF: A58818501', value: 'A58818501' },
      { text: 'con CIF B-58378431', value: 'B-58378431' },
      { text: 'Q2818002D', field: 'cif_empresa' },
    ],
    not: ['A58818501', 'CIF A58818502', 'CIF I99216582', 'CIF A5881850A'],
  },
});
