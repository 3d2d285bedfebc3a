import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/issued-token.ts';

export const anthropicKey: Detector = issuedToken({
  id: 'ANTHROPIC_KEY',
  title: 'Anthropic API key',
  prefixes: ['sk-ant-api03-', 'sk-ant-admin01-', 'sk-ant-oat01-', 'sk-ant-ort01-', 'sk-ant-sid01-'].map(
    (text) => ({ text, length: [80, 130] }),
  ),
  alphabet: 'azAZ09__--',
});
