import { describe, expect, it } from 'vitest';
import { plant, Share } from './share.ts';

const asJson = (content: object) => Buffer.from(JSON.stringify(content));

describe('a document of the share', () => {
  it('records the planted values at any depth, and is written without their marks', () => {
    const share = new Share();
    const content = {
      pages: [[`Name: ${plant('NAME', 'Noor Bulrush')}`], []],
      form: { ssn: plant('SSN', '801-02-1003') },
      copies: 2,
    };
    share.addDocument('hr/form.json', content, asJson);
    const [file] = share.files;
    expect(file?.planted).toEqual([
      { detector: 'NAME', value: 'Noor Bulrush' },
      { detector: 'SSN', value: '801-02-1003' },
    ]);
    expect(file?.bytes.toString()).toBe(
      '{"pages":[["Name: Noor Bulrush"],[]],"form":{"ssn":"801-02-1003"},"copies":2}',
    );
    expect(file?.text).toBe('Name: Noor Bulrush\n801-02-1003');
  });

  it('is refused with a value that was cut', () => {
    const cut = plant('SSN', '801-02-1003').slice(0, -3);
    expect(() => new Share().addDocument('hr/form.json', { cut }, asJson)).toThrow('was cut or nested');
  });
});
