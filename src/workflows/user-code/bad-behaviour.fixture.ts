/** What a function of a workflow can do wrong, whatever its task: generated for every function by bad-behaviour.db.test.ts. */

/** Where a behaviour takes place. */
export interface BehaviourContext {
  /** What the function would rightly return. */
  readonly good: () => unknown;
  /** The same with this somewhere in it. */
  readonly carry: (value: unknown) => unknown;
  /** What the function was given. */
  readonly given: readonly unknown[];
}

export interface Behaviour {
  readonly name: string;
  readonly act: (scene: BehaviourContext) => unknown;
}

/** A slow function takes this long; a runner in these tests allows `MOST_MS`. */
const SLOW_MS = 500;
export const MAX_MS = 400;

class Unprintable {
  get message(): string {
    throw new Error('no message');
  }
  get stack(): string {
    throw new Error('no stack');
  }
  toString(): string {
    throw new Error('no text');
  }
  [Symbol.toPrimitive](): string {
    throw new Error('no primitive');
  }
}

const hostile = () =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error('a trap');
      },
      ownKeys: () => {
        throw new Error('a trap');
      },
      getPrototypeOf: () => {
        throw new Error('a trap');
      },
    },
  );

const withGetter = (key: string) =>
  Object.defineProperty({}, key, {
    enumerable: true,
    get: () => {
      throw new Error('a getter');
    },
  });

function thrown(name: string, value: () => unknown): Behaviour {
  return {
    name: `throws ${name}`,
    act: () => {
      throw value();
    },
  };
}

function returned(name: string, value: (scene: BehaviourContext) => unknown): Behaviour {
  return { name: `returns ${name}`, act: value };
}

function carried(name: string, value: () => unknown): Behaviour {
  return { name: `carries ${name}`, act: ({ carry }) => carry(value()) };
}

function circular(): unknown {
  const ring: Record<string, unknown> = {};
  ring.self = ring;
  return ring;
}

function nested(levels: number): unknown {
  let value: unknown = 'bottom';
  for (let n = 0; n < levels; n++) value = [value];
  return value;
}

/** Changes everything it was given, as far as it can; throws at the first that is frozen. */
function mutate(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Date) return;
  for (const one of Object.values(value)) mutate(one);
  (value as Record<string, unknown>).changed = true;
}

const throws: readonly Behaviour[] = [
  thrown('an Error', () => new Error('boom')),
  thrown('null', () => null),
  thrown('undefined', () => undefined),
  thrown('text', () => 'boom'),
  thrown('a number', () => 7),
  thrown('what cannot be printed', () => new Unprintable()),
  thrown('a proxy', hostile),
];

const returns: readonly Behaviour[] = [
  returned('undefined', () => undefined),
  returned('null', () => null),
  returned('true', () => true),
  returned('a number', () => 42),
  returned('NaN', () => Number.NaN),
  returned('text', () => 'text'),
  returned('a BigInt', () => 10n),
  returned('a symbol', () => Symbol('s')),
  returned('a function', () => () => 1),
  returned('a Date', () => new Date()),
  returned('a Map', () => new Map([['a', 1]])),
  returned('an empty array', () => []),
  returned('an array of null', () => [null]),
  returned('an empty object', () => ({})),
  returned('a type that is a number', () => ({ type: 7 })),
  returned('an object whose getter throws', () => withGetter('type')),
  returned('a proxy', hostile),
  returned('40,000 of them', ({ good }) => Array.from({ length: 40_000 }, () => good())),
  returned('a promise', ({ good }) => Promise.resolve(good())),
  returned('a promise that rejects', () => Promise.reject(new Error('later'))),
  returned('a promise that never ends', () => new Promise(() => {})),
  returned('a thenable that throws', () => ({
    // biome-ignore lint/suspicious/noThenProperty: what a bad function may return
    then() {
      throw new Error('no promise');
    },
  })),
];

const carries: readonly Behaviour[] = [
  carried('a BigInt', () => 10n),
  carried('a circle', circular),
  carried('a function', () => () => 1),
  carried('a symbol', () => Symbol('s')),
  carried('NaN', () => Number.NaN),
  carried('Infinity', () => Number.POSITIVE_INFINITY),
  carried('an invalid date', () => new Date(Number.NaN)),
  carried('a Map', () => new Map([['a', 1]])),
  carried('a rejected promise', () => Promise.reject(new Error('later'))),
  carried('a toJSON that throws', () => ({
    toJSON() {
      throw new Error('no JSON');
    },
  })),
  carried('a getter that throws', () => withGetter('value')),
  carried('a proxy', hostile),
  carried('3,000 levels', () => nested(3000)),
  carried('a zero', () => 'a\0b'),
  carried('a lone surrogate', () => 'a\ud800'),
  carried('a key with a zero', () => ({ 'a\0b': 1 })),
  carried('a key with a lone surrogate', () => ({ 'a\udc00': 1 })),
  carried('300 KB', () => 'x'.repeat(300_000)),
];

const does: readonly Behaviour[] = [
  {
    name: 'mutates what it is given',
    act: ({ good, given }) => {
      mutate(given);
      return good();
    },
  },
  {
    name: 'is slow',
    act: ({ good }) => {
      for (const end = performance.now() + SLOW_MS; performance.now() < end; );
      return good();
    },
  },
];

export const BEHAVIOURS: readonly Behaviour[] = [...throws, ...returns, ...carries, ...does];
