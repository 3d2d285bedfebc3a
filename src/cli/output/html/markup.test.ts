import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../sample-report.ts';
import { escapeHtml, html } from './markup.ts';

describe('markup', () => {
  it('escapes text and keeps markup', () => {
    expect(html`<b title="${'"x'}">${'<i>'}${html`<u>${1}</u>`}</b>`.text).toBe(
      '<b title="&quot;x">&lt;i&gt;<u>1</u></b>',
    );
    expect(html`${[html`<a>`, html`<b>`]}`.text).toBe('<a><b>');
  });

  it('cannot be broken out of by any string', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"'`]/);
        expect(escaped.replace(/&(amp|lt|gt|quot|#39|#96);/g, '')).not.toContain('&');
        expect(read(escaped)).toBe(text);
      }),
    );
  });
});

function read(text: string): string {
  const characters: Record<string, string> = {
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    '#96': '`',
    amp: '&',
  };
  return text.replace(/&(amp|lt|gt|quot|#39|#96);/g, (_, name: string) => characters[name]!);
}
