import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const phPhilhealth: Detector = formattedId({
  id: 'PH_PHILHEALTH',
  title: 'Philippine health insurance number',
  category: 'health_info',
  country: 'PH',
  regulations: ['hipaa', 'gdpr', 'ccpa'],
  risk: 8,
  confidence: 0.75,
  forms: [{ pattern: String.raw`\d{2}-\d{9}-\d` }, { pattern: String.raw`\d{12}` }],
  context: { words: ['phil health'] },
  examples: {
    match: [
      { text: 'PhilHealth: 12-345678901-2', value: '12-345678901-2' },
      { text: 'PhilHealth PIN 19-283746510-7', value: '19-283746510-7' },
      { text: '192837465107', field: 'philhealth_no' },
    ],
    not: ['12-345678901-2', 'PhilHealth 12-34567890-2', '192837465107', 'PhilHealth 1928374651'],
  },
});
