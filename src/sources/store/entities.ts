const NAMED_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Decodes the entities in the text of an XML element. Returns undefined for an invalid one: leaving it as it is would yield a name that
 * no object has.
 */
export function decodeEntities(text: string): string | undefined {
  if (!text.includes('&')) return text;
  let isValid = true;
  const plain = text.replace(
    /&(?:#x([0-9a-f]+);|#(\d+);|(\w+);)?/gi,
    (_all, hex?: string, decimal?: string, name = '') => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      const character = hex === undefined && decimal === undefined ? NAMED_ENTITIES[name] : characterOf(code);
      isValid &&= character !== undefined;
      return character ?? '';
    },
  );
  return isValid ? plain : undefined;
}

function characterOf(code: number): string | undefined {
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
