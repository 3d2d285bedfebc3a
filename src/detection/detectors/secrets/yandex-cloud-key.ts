import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const yandexCloudKey: Detector = issuedToken({
  id: 'YANDEX_CLOUD_KEY',
  title: 'Yandex Cloud API key',
  prefixes: [{ text: 'AQVN', length: [35, 38] }],
  alphabet: 'azAZ09__--',
});
