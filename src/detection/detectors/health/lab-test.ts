import { textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const NAME =
  '(?:HbA1c|HBA1C|Hba1c|hba1c|A1[Cc]|LDL|HDL|TSH|ALT|AST|ALP|GGT|BUN|PSA|CRP|ESR|WBC|RBC|eGFR|[Hh]emoglobin|[Hh]aemoglobin|[Cc]reatinine|[Gg]lucose|[Tt]riglycerides|[Cc]holesterol|[Pp]otassium|[Pp]latelets|[Hh]ematocrit|[Ff]erritin|[Tt]roponin|[Bb]ilirubin|[Aa]lbumin)';
const WHAT = '(?:-C|-?cholesterol| cholesterol| level| count| result| [ITit])?';
const LINK = '[ :=,-]{1,3}(?:(?:of|was|is|at) )?[<>]?';
const UNIT =
  '(?:%|mg/dL|mg/dl|mmol/L|mmol/l|mmol/mol|g/dL|g/dl|g/L|U/L|IU/L|mIU/L|[um\\xc2\\xb5]{0,2}IU/mL|ng/mL|ng/L|ng/dL|pg/mL|mEq/L|K/uL|10\\^[369]/u?L|x10\\^?[0-9]/L|mL/min|umol/L|\\xc2\\xb5mol/L|mm/h|mg/L)';
const SHAPE = new RegExp(`^${NAME}${WHAT}${LINK}\\d{1,4}(?:[.,]\\d{1,3})? ?${UNIT}`);
const MAX_LENGTH = 64;

export const labTest: Detector = {
  id: 'LAB_TEST',
  title: 'Result of a laboratory test',
  category: 'health_info',
  strength: 'format',
  regulations: ['hipaa', 'gdpr'],
  risk: 6,
  prefilters: [
    { pattern: String.raw`\b(?:HbA1c|HBA1C|A1C)[ :=,-]` },
    { pattern: String.raw`\b(?:LDL|HDL|TSH|ALT|AST|ALP)[ :=-]` },
    { pattern: String.raw`\b(?:GGT|BUN|PSA|CRP|ESR|WBC|RBC)[ :=-]` },
    { pattern: String.raw`\b(?:GFR|EGFR)[ :=-]` },
    { pattern: String.raw`\bH(?:emoglobin|aemoglobin|ematocrit)` },
    { pattern: String.raw`\b(?:Creatinine|Glucose|Triglycerides|Cholesterol|Potassium)` },
    { pattern: String.raw`\b(?:Platelets|Ferritin|Troponin|Bilirubin|Albumin)` },
  ],
  confidence: 0.75,
  context: { words: ['lab', 'labs', 'result', 'blood', 'patient', 'serum', 'plasma', 'test'] },
  verify(bytes, at, match) {
    const written = SHAPE.exec(textOf(bytes, at, at + MAX_LENGTH))?.[0];
    return written === undefined
      ? rejectMatch(match, 'value with its unit')
      : acceptMatch(match, at, at + written.length, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 2, 0),
  examples: {
    match: [
      'HbA1c 7.2 %',
      { text: 'labs: LDL 131 mg/dL, HDL low', value: 'LDL 131 mg/dL' },
      { text: 'TSH: 4.8 mIU/L', value: 'TSH: 4.8 mIU/L' },
      { text: 'Creatinine was 1.3 mg/dL', value: 'Creatinine was 1.3 mg/dL' },
    ],
    not: ['HbA1c', 'LDL 131', 'the AST has 12 nodes', 'glucose 500 g', 'TSH 4.8 sec'],
  },
};
