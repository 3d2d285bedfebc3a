import { byteSet, isAlnum, runEnd, runStart, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskEmail } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** What banks and payment apps registered; an address with any other word after the @ is not known to pay. */
const HANDLES = new Set(
  (
    'abfspay airtel albk allbank apl aubank axb axisb axisbank axisgo axl barodampay boi cboi centralbank cnrb dbs dlb ' +
    'eazypay ezeepay fbl fbpe federal freecharge hdfcbank hsbc ibl icici idbi idfcbank idfcfirst ikwik indianbank indus ' +
    'indusind iob jio jupiteraxis kbl kotak kvb mahb naviaxis obc okaxis okhdfcbank okicici oksbi paytm pingpay pnb postbank ' +
    'ptaxis pthdfc ptsbi ptyes rbl sbi scb sib sliceaxis superyes timecosmos uboi uco unionbank upi utbi waaxis wahdfcbank ' +
    'waicici wasbi yapl ybl yesbank yesg yespay'
  ).split(' '),
);
const NAME = byteSet('azAZ09..--__');
const LETTERS = byteSet('azAZ');
const MAX_NAME_LENGTH = 64;

/** `name@bank` without a dot after the bank: money can be requested from it, and the name is often a telephone number. */
export const inUpiId: Detector = {
  id: 'IN_UPI_ID',
  title: 'Indian payment address (UPI)',
  category: 'financial',
  strength: 'prefix',
  country: 'IN',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 6,
  prefilters: [{ pattern: '@[A-Za-z]{3}' }],
  confidence: 0.85,
  context: { words: ['upi', 'upi id', 'vpa', 'bhim', 'gpay', 'phone pe'] },
  verify(bytes, at, match) {
    if (NAME[bytes[at - 1]!]! + NAME[bytes[at - 2]!]! + NAME[bytes[at - 3]!]! < 3)
      return rejectMatch(match, 'name');
    const end = runEnd(bytes, at + 1, 16, LETTERS);
    if (goesOn(bytes, end)) return rejectMatch(match, 'stands alone');
    if (!HANDLES.has(textOf(bytes, at + 1, end).toLowerCase())) return rejectMatch(match, 'bank');
    const start = runStart(bytes, at, MAX_NAME_LENGTH, NAME);
    if (at - start === MAX_NAME_LENGTH || !isAlnum(bytes[start]!)) return rejectMatch(match, 'name');
    return acceptMatch(match, start, end, REASON.pattern | REASON.issuer);
  },
  mask: (value) => maskEmail(value).replace(/@.*/, '@•••'),
  examples: {
    match: [
      'priya.sharma@okaxis',
      { text: 'UPI: 9876543210@ybl, thanks', value: '9876543210@ybl' },
      { text: 'rahul-88@oksbi', field: 'vpa' },
    ],
    not: ['priya@okaxis.com', 'ab@ybl', 'git@upi/repo', 'npm i left@upi-client', '@okaxis', 'jane@acme'],
  },
};

/** A domain, a path or a package, not the end of an address. */
function goesOn(bytes: Buffer, end: number): boolean {
  const after = bytes[end]!;
  if (isAlnum(after) || after === 0x2f || after === 0x40 || after === 0x5f) return true;
  return (after === 0x2e || after === 0x2d) && isAlnum(bytes[end + 1]!);
}
