import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { services } from './data/service-list.ts';
import { keyForm } from './families/secrets/key-form.ts';
import { serviceOfName } from './families/secrets/service-of-name.ts';
import { scanText } from './scan.fixture.ts';
import { createScanner } from './scanner.ts';

const scanner = createScanner(catalogue);

function found(text: string): { id: string; value: string }[] {
  return scanText(scanner, text).map(({ detector, value }) => ({
    id: catalogue[detector]!.id,
    value: Buffer.from(value, 'latin1').toString(),
  }));
}

const labels = services().flatMap(({ labels }) => labels);

describe('the list of services', () => {
  it('has each name and each label once', () => {
    const names = services().map(({ name }) => name);
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
    const texts = labels.map(({ text }) => text);
    expect(texts.filter((text, n) => texts.indexOf(text) !== n)).toEqual([]);
  });

  it('has labels in small letters and digits, of two characters or more', () => {
    expect(labels.filter(({ text }) => !/^[a-z0-9]{2,}$/.test(text))).toEqual([]);
  });

  it.each(services().map((service) => [service.name, service] as const))(
    'finds a key of %s by each label, in each form',
    (_, { labels, forms }) => {
      const values = (forms.length === 0 ? ['alnum32'] : forms).map((form) => keyForm(form).sample);
      for (const { text } of labels) {
        for (const value of values) {
          const id = 'SERVICE_KEY';
          expect(found(`${text.toUpperCase()}_API_KEY=${value}\n`)).toEqual([{ id, value }]);
          expect(found(`{"${text}AccessToken": "${value}"}`)).toEqual([{ id, value }]);
        }
      }
    },
  );
});

describe('the service in a name', () => {
  it.each([
    ['SHODAN_API_KEY', 'Shodan'],
    ['shodanApiKey', 'Shodan'],
    ['shodankey', 'Shodan'],
    ['config.shodan.apikey', 'Shodan'],
    ['PROD_SHODAN_SCANNER_TOKEN', 'Shodan'],
    ['X-Shodan-Key', 'Shodan'],
    ['IPQUALITY_SCORE_KEY', 'IPQuality'],
    ['abuseIPDBKey', 'AbuseIPDB'],
    ['WEB3STORAGE_API_KEY', 'Web3Storage'],
    ['open_weather_map_api_key', 'Open Weather'],
    ['8x8_api_key', 'EightxEight'],
    ['box_api_key', 'Box'],
    ['VITE_BOX_CLIENT_SECRET', 'Box'],
  ])('%s is %s', (name, service) => expect(serviceOfName(name)?.service.name).toBe(service));

  it.each([
    'api_key',
    'shodan',
    'shodan_url',
    'shodan_public_key',
    'box_key',
    'inbox_api_key',
    'a_box_api_key',
  ])('is not in %s', (name) => expect(serviceOfName(name)).toBeNull());
});
