import { describe, expect, it } from 'vitest';
import type { Queryable } from '../db/database.ts';
import { Herald, hintOf } from './herald.ts';

describe('a hint', () => {
  it('says what is new, and of which workflow', () => {
    expect(hintOf('events order')).toEqual({ news: 'events', workflow: 'order' });
    expect(hintOf('layout order')).toEqual({ news: 'layout', workflow: 'order' });
  });

  it('that names a workflow alone may mean anything of it', () => {
    expect(hintOf('order')).toEqual({ news: null, workflow: 'order' });
  });

  it('that is empty may mean anything', () => {
    expect(hintOf('')).toEqual({ news: null, workflow: null });
  });
});

describe('a herald', () => {
  it('tells the same only once, however often it was said while it waited', async () => {
    const told: unknown[] = [];
    const twice = Promise.withResolvers<void>();
    const query: Queryable['query'] = async (_, params) => {
      told.push(params?.[1]);
      if (told.length === 2) twice.resolve();
      return { rows: [], rowCount: 0 };
    };
    const herald = new Herald({ query });
    herald.tell('events', 'order');
    herald.tell('actions', 'order');
    herald.tell('actions', 'order');
    await twice.promise;
    expect(told).toEqual(['events order', 'actions order']);
  });
});
