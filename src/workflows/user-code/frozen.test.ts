import { describe, expect, it } from 'vitest';
import { cloneData } from './copy.ts';
import { deepFreeze } from './frozen.ts';
import { plainJson } from './plain-json.ts';

describe('a state', () => {
  it('is frozen to its last part, and stays the same object', () => {
    const state = { lines: [{ sku: 'a' }], address: { city: 'Bern' } };
    expect(deepFreeze('the state', state)).toBe(state);
    expect(() => state.lines.push({ sku: 'b' })).toThrow(TypeError);
    expect(() => Object.assign(state.lines[0]!, { sku: 'b' })).toThrow(TypeError);
    expect(() => Object.assign(state.address, { city: 'Basel' })).toThrow(TypeError);
  });

  it('may have parts of one before it, which are not walked through again', () => {
    const before = deepFreeze('the state', { lines: [{ sku: 'a' }] });
    const after = deepFreeze('the state', { ...before, n: 1 });
    expect(after).toEqual({ lines: [{ sku: 'a' }], n: 1 });
  });

  it.each([
    ['undefined', undefined, 'the state is undefined'],
    ['a Date', { at: new Date() }, 'at is a Date, which JSON does not keep'],
    ['a Map', { lines: new Map() }, 'lines is a Map, which JSON does not keep'],
    ['a class', new (class Order {})(), 'the state is a Order, which JSON does not keep'],
    ['NaN', [Number.NaN], 'the state is NaN, which JSON does not keep'],
  ])('is refused when it is %s', (_, state, sentence) => {
    expect(() => deepFreeze('the state', state)).toThrow(sentence);
  });

  it('is refused when it is a part of itself', () => {
    const ring: Record<string, unknown> = {};
    ring.self = ring;
    expect(() => deepFreeze('the state', ring)).toThrow('or cyclic');
  });
});

describe('a copy of a command', () => {
  it('is another object with the same data, also of what is no plain object', () => {
    const command = { type: 'place', at: new Date(0), lines: [{ n: 1n }], tags: new Set(['a']) };
    const copy = cloneData(command);
    expect(copy).toEqual(command);
    expect(copy.lines[0]).not.toBe(command.lines[0]);
    expect(copy.at).not.toBe(command.at);
  });

  it('takes a key that is called __proto__ as a key', () => {
    const command = JSON.parse('{"type":"x","__proto__":{"admin":true}}');
    const copy = cloneData(command);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy.admin).toBe(undefined);
  });

  it('of a function is refused', () => {
    expect(() => cloneData({ type: 'x', run: () => 1 })).toThrow("a function can't be copied");
  });
});

describe('what is written', () => {
  it('is what will be read: without undefined, with dates as text', () => {
    const { value, bytes } = plainJson<object>('the event', { at: new Date(0), note: undefined, n: 1 });
    expect(value).toEqual({ at: '1970-01-01T00:00:00.000Z', n: 1 });
    expect(bytes).toBe(Buffer.byteLength(JSON.stringify(value)));
  });

  it('may hold every character that PostgreSQL holds, and be as large as is allowed', () => {
    const text = '😀 \\u0000 \u001f é';
    expect(plainJson('the event', { text }).value).toEqual({ text });
    expect(() => plainJson('the event', 'ü'.repeat(5), 12)).not.toThrow();
    expect(() => plainJson('the event', 'ü'.repeat(6), 12)).toThrow(
      'the event has 14 bytes; the maximum is 12',
    );
  });
});
