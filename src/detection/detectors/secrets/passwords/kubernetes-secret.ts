import { textOf } from '../../../bytes.ts';
import { isPlaceholder } from '../../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../../detector.ts';
import { maskSecret } from '../../../masks.ts';
import { REASON } from '../../../reasons.ts';

const KIND = /^kind: Secret\s*(?:\r?\n|\0|$)/;
/** The first entry under `data:`. */
const ENTRY = /(?:^|\n)data:\s*\n[ \t]+[\w.-]+: *"?([A-Za-z0-9+/]{4,600}={0,2})"?\s*(?:\r?\n|\0|$)/;
const BACK = 200;
const AHEAD = 800;

/** The manifest of a Secret, with its keys in any order; the first value is reported for all of them. */
export const kubernetesSecret: Detector = {
  id: 'KUBERNETES_SECRET',
  title: 'Kubernetes secret',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ assigned: ['kind'] }],
  confidence: 0.9,
  verify(bytes, separator, match) {
    const at = separator - 4;
    if (!KIND.test(textOf(bytes, at, at + 24))) return rejectMatch(match, 'kind');
    const ahead = textOf(bytes, at, at + AHEAD).split('\n---', 1)[0]!;
    const back = textOf(bytes, at - BACK, at);
    const from = back.lastIndexOf('\n---') + 1;
    const entry = ENTRY.exec(ahead) ?? ENTRY.exec(back.slice(from).replace(/^\0+/, ''));
    if (entry === null || Buffer.from(entry[1]!, 'base64').length < 3) return rejectMatch(match, 'data');
    if (isPlaceholder(Buffer.from(entry[1]!, 'base64').toString('latin1')))
      return rejectMatch(match, 'placeholder');
    const start = startOf(ahead, back, entry, at);
    return acceptMatch(match, start, start + entry[1]!.length, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: manifest(`data:\n  password: ${coded('tr0ub4dor')}\n`), value: coded('tr0ub4dor') },
      { text: `apiVersion: v1\ndata:\n  x: ${coded('hunter22')}\nkind: Secret\n`, value: coded('hunter22') },
      { text: manifest(`type: Opaque\ndata:\n  a.b: "${coded('9kQz-77')}"\n`), value: coded('9kQz-77') },
    ],
    not: [
      manifest('stringData:\n  a: b\n'),
      'kind: SecretProviderClass\ndata:\n  a: dHIwdWI0ZG9y\n',
      'kind: ConfigMap\ndata:\n  a: dHIwdWI0ZG9y\n',
      manifest(`---\nkind: ConfigMap\ndata:\n  a: ${coded('tr0ub4dor')}\n`),
    ],
  },
};

function startOf(ahead: string, back: string, entry: RegExpExecArray, at: number): number {
  const place = ahead.indexOf(entry[0]);
  const within = entry[0].lastIndexOf(entry[1]!);
  return place >= 0 ? at + place + within : at - back.length + back.lastIndexOf(entry[0]) + within;
}

function manifest(rest: string): string {
  return `apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\n${rest}`;
}

function coded(text: string): string {
  return Buffer.from(text).toString('base64');
}
