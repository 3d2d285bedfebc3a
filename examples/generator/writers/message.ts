/** Messages as Outlook keeps them, one file each. */
import { writeCompoundFile } from '../../../src/extraction/documents/legacy/compound-file/compound-file.fixture.ts';
import { compressRtf } from '../../../src/extraction/documents/legacy/outlook/compressed-rtf.fixture.ts';
import { messageTree } from '../../../src/extraction/documents/legacy/outlook/outlook-message.fixture.ts';

interface Mailbox {
  readonly name: string;
  readonly email: string;
}

export interface OutlookMessage {
  readonly subject: string;
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly body: string;
  readonly attachment: { readonly name: string; readonly type: string };
}

const SENT = new Date('2024-03-05T09:12:00Z');

/** `attached`: the bytes of the attachment. */
export function outlookMessage(message: OutlookMessage, attached: Buffer): Buffer {
  const { subject, from, to, body, attachment } = message;
  const tree = messageTree({
    properties: {
      '001A001F': 'IPM.Note',
      '0037001F': subject,
      '0C1A001F': from.name,
      '0C1E001F': 'SMTP',
      '0C1F001F': from.email,
      '0E04001F': to.map(({ name }) => name).join('; '),
      '00390040': SENT,
      '0E060040': SENT,
      '1000001F': body,
      '10090102': compressRtf(rtf(body)),
      '340D0003': 0x40000,
    },
    recipients: to.map(({ name, email }) => ({
      '0C150003': 1,
      '3001001F': name,
      '3002001F': 'SMTP',
      '3003001F': email,
      '39FE001F': email,
    })),
    attachments: [
      {
        properties: {
          '37010102': attached,
          '3703001F': attachment.name.slice(attachment.name.lastIndexOf('.')),
          '3704001F': attachment.name,
          '3707001F': attachment.name,
          '370E001F': attachment.type,
          '37050003': 1,
        },
      },
    ],
  });
  return writeCompoundFile(tree);
}

const rtf = (body: string) =>
  `{\\rtf1\\ansi\\ansicpg1252\\fromtext \\fbidi \\deff0{\\fonttbl{\\f0\\fswiss Arial;}}\\uc1\\pard\\plain\\deftab360 \\f0\\fs20 ${body.replaceAll('\n', '\\par\r\n')}}`;
