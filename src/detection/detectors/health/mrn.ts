import type { Detector } from '../../detector.ts';
import { idTokens, labelledId } from '../../families/labelled-id.ts';

export const mrn: Detector = labelledId({
  id: 'MRN',
  title: 'Medical record number',
  category: 'health_info',
  regulations: ['hipaa', 'gdpr', 'ccpa'],
  risk: 8,
  confidence: 0.8,
  prefilters: [...idTokens([5, 10], [6, 12]), { pattern: String.raw`\b[A-Z]{1,4}-\d{5,10}\b` }],
  shape: /^[A-Z]{0,4}-?\d{5,10}$/,
  context: {
    words: [
      'mrn',
      'medical record',
      'medical record no',
      'medical record number',
      'patient id',
      'patient no',
      'patient number',
      'chart number',
      'hospital number',
      'medical rec no',
      'med rec',
      'encounter number',
      'encounter id',
      'mr no',
      'patient identifier',
    ],
  },
  examples: {
    match: [
      { text: 'MRN: 00482913', value: '00482913' },
      { text: 'Medical record number A-482913', value: 'A-482913' },
      { text: 'H482913', field: 'patient_id' },
    ],
    not: ['00482913', 'A-482913', 'the patient was seen 482913 times', 'MRN 12'],
  },
});
