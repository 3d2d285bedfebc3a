import { describe, expect, it } from 'vitest';
import { lines, PdfFixture } from './pdf.fixture.ts';
import { readWhole } from './pdf-reading.fixture.ts';

const FORM =
  '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/">' +
  '<subform name="form1" layout="tb"><pageSet><pageArea><contentArea w="8in" h="10in"/>' +
  '<medium stock="letter" short="8.5in" long="11in"/></pageArea></pageSet><subform name="s" layout="tb" w="8in">' +
  '<draw w="4in" h="1in"><value><text>Application</text></value></draw><field name="card" w="4in" h="1in"><ui>' +
  '<textEdit/></ui><caption reserve="1in"><value><text>Card number</text></value></caption></field></subform>' +
  '</subform></template><xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1><s>' +
  '<card>4111 1111 1111 1111</card></s></form1></xfa:data></xfa:datasets></xdp:xdp>';

describe('a form that is XFA', () => {
  it('is read instead of the placeholder page', async () => {
    const pdf = new PdfFixture();
    const form = `/NeedsRendering true /AcroForm << /XFA ${pdf.stream('', FORM)} 0 R /Fields [] >>`;
    expect(await readWhole(pdf.build(pdf.pages([{ content: lines('Please wait...') }], form)))).toEqual({
      texts: { 'page 1': 'Application\nCard number\n4111 1111 1111 1111\n' },
      entries: {},
      reason: null,
    });
  });
});
