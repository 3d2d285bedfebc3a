import { dvlaPlausible } from '../../checks/britain-ireland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ukDrivingLicence: Detector = formattedId({
  id: 'UK_DRIVING_LICENCE',
  title: 'UK driving licence number',
  category: 'direct_identifier',
  country: 'GB',
  regulations: ['gdpr'],
  risk: 8,
  confidence: 0.8,
  plausible: dvlaPlausible,
  forms: [{ pattern: String.raw`[A-Z][A-Z9]{4}\d[0156]\d[0-3]\d{2}[A-Z9]{2}\d[A-Z]{2}`, free: true }],
  context: { words: ['driving licence', 'driver number', 'licence number', 'dvla'] },
  examples: {
    match: [
      'MORGA657054SM9IJ',
      { text: 'Driving licence no: JONES710238HA9AB', value: 'JONES710238HA9AB' },
      { text: 'FOX99852211D98XY', field: 'driver_number' },
    ],
    not: ['MORGA657054SM9I', 'MORGA677054SM9IJ', 'MORGA657994SM9IJ', 'XMORGA657054SM9IJ'],
  },
});
