import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

/** A macaroon in base64, which begins with its location. */
export const pypiToken: Detector = issuedToken({
  id: 'PYPI_TOKEN',
  title: 'PyPI token',
  prefixes: [
    { text: 'pypi-AgEIcHlwaS5vcmc', length: [50, 1000] },
    { text: 'pypi-AgENdGVzdC5weXBpLm9yZw', length: [50, 1000] },
  ],
  alphabet: 'azAZ09__--',
});
