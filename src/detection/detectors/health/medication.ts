import { isAlnum, isDigit, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskInitials } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/**
 * The most prescribed drugs, by generic name, and common brands. Names that begin like everyday words of programs (codeine, propranolol,
 * methotrexate) are omitted, because their prefilters would match everywhere.
 */
const NAMES =
  'acetaminophen acyclovir adalimumab albuterol alendronate allopurinol alprazolam amiodarone amitriptyline amlodipine amoxicillin anastrozole ' +
  'apixaban aripiprazole atenolol atorvastatin azathioprine azithromycin baclofen benazepril bisoprolol budesonide bumetanide buprenorphine bupropion ' +
  'buspirone candesartan captopril carvedilol cefalexin cefuroxime celecoxib cephalexin cetirizine chlorthalidone ciprofloxacin citalopram ' +
  'clindamycin clopidogrel clozapine colchicine cyclobenzaprine dabigatran dapagliflozin dexamethasone diazepam diclofenac digoxin diltiazem donepezil ' +
  'doxycycline dulaglutide duloxetine empagliflozin enalapril enoxaparin escitalopram esomeprazole eszopiclone etanercept ezetimibe famotidine ' +
  'fenofibrate fentanyl finasteride fluconazole fluoxetine fluticasone furosemide gabapentin glimepiride glipizide haloperidol hydralazine ' +
  'hydrochlorothiazide hydrocodone hydrocortisone hydromorphone hydroxychloroquine hydroxyzine ibuprofen imatinib irbesartan ketoconazole lamotrigine ' +
  'lansoprazole latanoprost letrozole levetiracetam levofloxacin levothyroxine liraglutide lisinopril lorazepam losartan lovastatin meloxicam ' +
  'memantine metformin metoprolol mirtazapine montelukast morphine mycophenolate naloxone naltrexone naproxen nifedipine nitroglycerin nortriptyline ' +
  'olanzapine olmesartan omeprazole ondansetron oxycodone oxybutynin pantoprazole paroxetine penicillin phenytoin pioglitazone pravastatin prednisolone ' +
  'prednisone pregabalin quetiapine ramipril ranitidine risperidone rivaroxaban rosuvastatin semaglutide sertraline sildenafil simvastatin sitagliptin ' +
  'spironolactone sulfamethoxazole sumatriptan tacrolimus tadalafil tamoxifen tamsulosin telmisartan temazepam ticagrelor tizanidine torsemide tramadol ' +
  'trazodone valacyclovir valsartan venlafaxine verapamil warfarin zolpidem ' +
  'adderall ativan eliquis humira lantus lipitor norvasc ozempic oxycontin percocet plavix prozac suboxone synthroid ventolin vicodin xarelto zoloft';
const DRUGS: ReadonlySet<string> = new Set(NAMES.split(' '));

const WORD = /[A-Za-z]{4,24}/g;

const LABEL = /(?:medication|medicine|prescription|allergies|med)s?["'\])]{0,2} ?$/i;

const LOOK_BACK = 48;

const LOOK_AHEAD = 80;

/** After the name: a salt or a release form, then the dose. */
const DOSE =
  /^(?: (?:HCl|HCL|hcl|sodium|potassium|calcium|tartrate|succinate|besylate|acetate|mesylate|ER|XR|SR|XL|CR|DR|EC))?[ ,:(-]{1,3}\d{1,4}(?:[.,]\d{1,3})?(?:-\d{1,4})? ?(?:mg|mcg|\xc2\xb5g|g|ml|units?|iu|meq)(?:\/\d{0,3} ?(?:ml|mg|day|hr|h))?(?![a-z0-9])/i;

export const medication: Detector = {
  id: 'MEDICATION',
  title: 'Medicine that somebody takes',
  category: 'health_info',
  strength: 'heuristic',
  regulations: ['hipaa', 'gdpr'],
  risk: 5,
  prefilters: [
    { pattern: String.raw`\b\d{1,4}(?:[.,-]\d{1,4})? ?(?:mg|mcg|ml)\b` },
    { pattern: String.raw`\b\d{1,4}(?:[.,-]\d{1,4})? ?(?:units|IU|iu|meq)\b` },
    {
      assigned: [
        'ication',
        'ications',
        'edicine',
        'edicines',
        'ription',
        'riptions',
        'lergies',
        'med',
        'meds',
      ],
    },
  ],
  confidence: 0.6,
  context: {
    words: [
      'medication',
      'medicine',
      'med',
      'prescribed',
      'prescription',
      'rx',
      'taking',
      'takes',
      'drug',
      'dose',
      'dosage',
      'allergic to',
      'allergy',
      'allergies',
      'refill',
      'started on',
      'patient',
      'sig',
    ],
  },
  verify(bytes, at, match) {
    const name = isDigit(bytes[at]!) ? nameBefore(bytes, at) : nameBehind(bytes, at);
    if (name === null) return rejectMatch(match, 'name');
    if (isAlnum(bytes[name.start - 1]!)) return rejectMatch(match, 'stands alone');
    const dose = DOSE.exec(textOf(bytes, name.end, name.end + 48))?.[0];
    if (dose !== undefined) return acceptMatch(match, name.start, name.end + dose.length, REASON.pattern);
    // A name alone is a word of a textbook.
    return match.hasLabel(name.start)
      ? acceptMatch(match, name.start, name.end, REASON.pattern)
      : rejectMatch(match, 'dose or label');
  },
  mask: maskInitials,
  examples: {
    match: [
      'Metformin 500 mg',
      { text: 'lisinopril 10mg once daily', value: 'lisinopril 10mg' },
      { text: 'Current medications: sertraline, as before', value: 'sertraline' },
      { text: 'metoprolol succinate 25 mg PO', value: 'metoprolol succinate 25 mg' },
    ],
    not: [
      'metformin',
      'the effect of warfarin on bleeding',
      'metforminic 500 mg',
      'package 500 mg',
      'unmetformin 500 mg',
    ],
  },
};

interface Name {
  readonly start: number;
  readonly end: number;
}

/** "metoprolol succinate 25 mg": one of the last three words before the dose. */
function nameBefore(bytes: Buffer, dose: number): Name | null {
  const words = [...textOf(bytes, dose - LOOK_BACK, dose).matchAll(WORD)].slice(-3);
  for (const word of words.toReversed()) {
    const start = dose - LOOK_BACK + word.index;
    if (DRUGS.has(word[0].toLowerCase())) return { start, end: start + word[0].length };
  }
  return null;
}

/** "Current medications: sertraline": the first name after its label. */
function nameBehind(bytes: Buffer, label: number): Name | null {
  if (!LABEL.test(textOf(bytes, label - 24, label))) return null;
  const line = textOf(bytes, label, label + LOOK_AHEAD).split('\n')[0]!;
  for (const word of line.matchAll(WORD)) {
    if (DRUGS.has(word[0].toLowerCase()))
      return { start: label + word.index, end: label + word.index + word[0].length };
  }
  return null;
}
