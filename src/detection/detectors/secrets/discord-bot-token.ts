import { isAlnum, textOf } from '../../bytes.ts';
import { isFiller } from '../../checks/placeholder.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const TOKEN = /^([A-Za-z0-9]{22,28})\.[A-Za-z0-9_-]{6}\.([A-Za-z0-9_-]{27,38})(?![A-Za-z0-9_-])/;

/** The bot’s number in base64, a time, and what signs both. Three digits in base64 leave few choices for the first characters. */
export const discordBotToken: Detector = {
  id: 'DISCORD_BOT_TOKEN',
  title: 'Discord bot token',
  category: 'credential',
  strength: 'format',
  regulations: ['soc2'],
  risk: 9,
  prefilters: ['M', 'N', 'O'].map((first) => ({
    pattern: `\\b${first}[DTjz][AEIMQUYcgk][wxyz0-5][A-Za-z0-9]{8}`,
  })),
  confidence: 0.95,
  verify(bytes, at, match) {
    const token = TOKEN.exec(textOf(bytes, at, at + 80));
    if (token === null) return rejectMatch(match, 'form');
    if (isAlnum(bytes[at - 1]!)) return rejectMatch(match, 'stands alone');
    const id = Buffer.from(token[1]!, 'base64url').toString('latin1');
    if (!/^\d{17,20}$/.test(id)) return rejectMatch(match, 'number of the bot');
    if (isFiller(token[2]!)) return rejectMatch(match, 'placeholder');
    return acceptMatch(match, at, at + token[0].length, REASON.structure | REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      token('837462950172635489'),
      { text: `client.login("${token('1037462950172635481')}")`, value: token('1037462950172635481') },
      { text: `DISCORD_TOKEN=${token('837462950172635489')}\n`, value: token('837462950172635489') },
    ],
    not: [
      token('not a number at all'),
      token('837462950172635489').slice(0, -15),
      `x${token('837462950172635489')}`,
      token('837462950172635489').replaceAll('.', ':'),
    ],
  },
};

function token(id: string): string {
  return [
    Buffer.from(id).toString('base64url'),
    syntheticSecret(6, 'azAZ09'),
    syntheticSecret(38, 'azAZ09'),
  ].join('.');
}
