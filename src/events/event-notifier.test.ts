import { describe, expect, it } from 'vitest';
import type { Queryable } from '../db/database.ts';
import { EventNotifier, parseNotification } from './event-notifier.ts';

describe('a hint', () => {
  it('says what is new, and of which workflow', () => {
    expect(parseNotification('events order')).toEqual({ topic: 'events', workflow: 'order' });
    expect(parseNotification('layout order')).toEqual({ topic: 'layout', workflow: 'order' });
  });

  it('that names a workflow alone may mean anything of it', () => {
    expect(parseNotification('order')).toEqual({ topic: null, workflow: 'order' });
  });

  it('that is empty may mean anything', () => {
    expect(parseNotification('')).toEqual({ topic: null, workflow: null });
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
    const herald = new EventNotifier({ query });
    herald.notify('events', 'order');
    herald.notify('actions', 'order');
    herald.notify('actions', 'order');
    await twice.promise;
    expect(told).toEqual(['events order', 'actions order']);
  });
});
