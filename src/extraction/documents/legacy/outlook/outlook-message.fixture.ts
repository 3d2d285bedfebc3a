import type { Tree } from '../compound-file/compound-file.fixture.ts';

/** A property: its number and type, as eight digits, and its value. */
export type Properties = Readonly<Record<string, string | number | Buffer | Date>>;

export interface MessageFixture {
  readonly properties: Properties;
  readonly recipients?: readonly Properties[];
  readonly attachments?: readonly { readonly properties?: Properties; readonly object?: Tree }[];
}

/** `within`: the message is attached to another. */
export function messageTree(
  { properties, recipients = [], attachments = [] }: MessageFixture,
  within = false,
): Tree {
  const number = (i: number) => i.toString(16).padStart(8, '0').toUpperCase();
  return {
    ...propertyStreams(properties, within ? 24 : 32),
    '__nameid_version1.0': { '__substg1.0_00020102': Buffer.alloc(16) },
    ...Object.fromEntries(
      recipients.map((recipient, i) => [`__recip_version1.0_#${number(i)}`, propertyStreams(recipient, 8)]),
    ),
    ...Object.fromEntries(
      attachments.map(({ properties = {}, object }, i) => [
        `__attach_version1.0_#${number(i)}`,
        { ...propertyStreams(properties, 8), ...(object && { '__substg1.0_3701000D': object }) },
      ]),
    ),
  };
}

function propertyStreams(properties: Properties, headBytes: number): Tree {
  const streams: Record<string, Buffer> = {};
  const entries = [Buffer.alloc(headBytes)];
  for (const [tag, value] of Object.entries(properties)) {
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(Number.parseInt(tag, 16), 0);
    entry.writeUInt32LE(6, 4);
    if (typeof value === 'number') entry.writeUInt32LE(value, 8);
    else if (value instanceof Date)
      entry.writeBigUInt64LE(BigInt(value.getTime() + 11_644_473_600_000) * 10_000n, 8);
    else {
      const bytes =
        typeof value === 'string' ? Buffer.from(value, tag.endsWith('1F') ? 'utf16le' : 'latin1') : value;
      streams[`__substg1.0_${tag}`] = bytes;
      entry.writeUInt32LE(bytes.length, 8);
    }
    entries.push(entry);
  }
  return { '__properties_version1.0': Buffer.concat(entries), ...streams };
}
