import { describe, expect, it } from 'vitest';
import type { Queryable } from '../db/database.ts';
import { EventNotifier, parseNotification } from './event-notifier.ts';

describe('a hint', () => {
  it('contains the topic and the workflow', () => {
    expect(parseNotification('events order')).toEqual({ topic: 'events', workflow: 'order' });
    expect(parseNotification('layout order')).toEqual({ topic: 'layout', workflow: 'order' });
  });

  it('with a workflow alone means any topic of it', () => {
    expect(parseNotification('order')).toEqual({ topic: null, workflow: 'order' });
  });

  it('that is empty may mean anything', () => {
    expect(parseNotification('')).toEqual({ topic: null, workflow: null });
  });
});

describe('a notification with an origin', () => {
  it('names its sender, so that it can ignore it; earlier versions read the rest', () => {
    expect(parseNotification('events order r1')).toEqual({
      topic: 'events',
      workflow: 'order',
      origin: 'r1',
    });
  });

  it('is sent by a notifier that has one', async () => {
    const sent = Promise.withResolvers<unknown>();
    const query: Queryable['query'] = async (_, params) => {
      sent.resolve(params?.[1]);
      return { rows: [], rowCount: 0 };
    };
    new EventNotifier({ query }, 'r1').notify('events', 'order');
    expect(await sent.promise).toBe('events order r1');
  });
});

describe('an event notifier', () => {
  it('sends equal notifications once, however many are pending', async () => {
    const sent: unknown[] = [];
    const twice = Promise.withResolvers<void>();
    const query: Queryable['query'] = async (_, params) => {
      sent.push(params?.[1]);
      if (sent.length === 2) twice.resolve();
      return { rows: [], rowCount: 0 };
    };
    const notifier = new EventNotifier({ query });
    notifier.notify('events', 'order');
    notifier.notify('actions', 'order');
    notifier.notify('actions', 'order');
    await twice.promise;
    expect(sent).toEqual(['events order', 'actions order']);
  });
});
