import { textOf } from '../../bytes.ts';
import { entropy, looksGenerated } from '../../checks/entropy.ts';
import { isFiller, isPlaceholder } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { assignsKey, parseAssignment } from '../../families/secrets/assignment.ts';
import { hasForm, keyForm } from '../../families/secrets/key-form.ts';
import { serviceOfName } from '../../families/secrets/service-of-name.ts';
import { syntheticSecret, syntheticUuid } from '../../families/secrets/synthetic-secret.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** Of keys in a documented form, and of others. */
const MIN_LENGTH = 14;
const MIN_OTHER_LENGTH = 16;
/** Of a value in the documented form of the service's keys. */
const DOCUMENTED_FORM = 0.85;
const BODY = /^[A-Za-z0-9_\-+/=.~:]{14,200}$/;

/**
 * A key of one of many hundred services (data/services.txt) whose keys have no prefix: the name of the assignment mentions the service.
 * One detector for all: the name is looked up only where something like a key is assigned, so more services cost nothing. Services with
 * a detector of their own are not in the list.
 */
export const serviceKey: Detector = {
  id: 'SERVICE_KEY',
  title: 'Key of a named service',
  category: 'credential',
  strength: 'context',
  regulations: ['soc2'],
  risk: 9,
  prefilters: [{ assigned: ['key', 'ken', 'ret'] }],
  confidence: 0.75,
  verify(bytes, at, match) {
    const assigned = assignsKey(bytes, at, MIN_LENGTH) ? parseAssignment(bytes, at) : null;
    if (assigned === null) return rejectMatch(match, 'assigned value');
    const named = serviceOfName(assigned.name);
    if (named === null) return rejectMatch(match, 'service');
    const value = textOf(bytes, assigned.start, assigned.end);
    if (!BODY.test(value)) return rejectMatch(match, 'form');
    if (isPlaceholder(value) || isFiller(value)) return rejectMatch(match, 'placeholder');
    match.entropy = entropy(value);
    if (named.service.forms.some((form) => hasForm(value, match.entropy, keyForm(form))))
      match.confidence = DOCUMENTED_FORM;
    else if (value.length < MIN_OTHER_LENGTH || !looksGenerated(value)) return rejectMatch(match, 'entropy');
    const reasons = REASON.pattern | REASON.assignment | REASON.entropy;
    return acceptMatch(match, assigned.start, assigned.end, reasons);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: `SHODAN_API_KEY=${alnum(32)}\n`, value: alnum(32) },
      { text: `"abuseIpdbApiKey": "${hex(80)}"`, value: hex(80) },
      { text: `X-Browserstack-Access-Key: ${alnum(20)}`, value: alnum(20) },
      { text: `open_weather_map_key: '${hex(32)}'`, value: hex(32) },
      { text: `VIRUSTOTAL_APIKEY = "${hex(64)}"`, value: hex(64) },
      { text: `opsgenieKey: ${syntheticUuid()}`, value: syntheticUuid() },
      { text: `BOX_CLIENT_SECRET=${alnum(32)}`, value: alnum(32) },
      { text: `NEXT_PUBLIC_SEGMENT_API_KEY=${alnum(32)}`, value: alnum(32) },
      { text: `<zerobounce_key>${hex(32)}</zerobounce_key>`, value: hex(32) },
    ],
    // Most are names of everyday code that contain the name of a service.
    not: [
      `box_key = "${alnum(32)}"`,
      `segment_key: ${alnum(24)}`,
      `FRONT_DOOR_API_KEY=${alnum(32)}`,
      `column_key = '${hex(32)}'`,
      `line_token = "${alnum(32)}"`,
      `turkey: ${hex(32)}`,
      `shodan_cache_key: ${hex(32)}`,
      `RECAPTCHA_SITE_KEY=6Le${alnum(37)}`,
      'SHODAN_API_KEY=your-shodan-api-key-here',
      'SHODAN_API_KEY=process.env.SHODAN_KEY_1',
      'shodan_api_key = get_secret_from_the_vault',
      `SHODAN_API_KEY=${'x'.repeat(32)}`,
      `SHODAN_HOST=${alnum(32)}`,
      `API_KEY=${alnum(32)}`,
    ],
  },
};

function alnum(length: number): string {
  return syntheticSecret(length, 'azAZ09');
}

function hex(length: number): string {
  return syntheticSecret(length, '09af');
}
