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

export const DRUGS: ReadonlySet<string> = new Set(NAMES.split(' '));
