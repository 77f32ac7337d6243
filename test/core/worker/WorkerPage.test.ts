import { describe, expect, test } from 'vitest';
import * as WorkerPage from '../../../src/core/worker/WorkerPage.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

const evil = `"><script>alert(1)</script><img src=x onerror='1'>&\u202e`;

const shown: WorkerPage.Shown = {
  worker: evil,
  version: '1.0.0',
  network: 'sandbox',
  nowMs: 60_000,
  batches: [
    {
      name: evil,
      network: 'sandbox',
      instance: null,
      store: null,
      lines: 3,
      digest: '0x00',
      submitter: evil,
      signature: '0x',
      state: String(evil) as 'ready',
      priority: 0,
      submittedAt: 0,
      states: { waiting: 1, done: 2 },
    },
  ],
  workers: [
    {
      id: evil,
      host: evil,
      version: evil,
      accounts: [accounts.dev1.address],
      isDraining: false,
      startedAt: 0,
      seenAt: 10_000,
      refuses: { [evil]: evil },
    },
  ],
  stuck: [{ batch: evil, id: evil, account: evil, state: 'refused', run: null, code: evil, message: evil, next: evil }],
};

describe('the page of a worker', () => {
  test('default: shows batches, lines and workers', () => {
    const page = WorkerPage.format(shown);
    expect(page).toContain('<td class="n">3</td><td class="n">1</td><td class="n">0</td><td class="n">2</td>');
    expect(page).toContain('silent for 50 s');
    expect(page).toContain(accounts.dev1.address);
  });

  test('behavior: what others wrote is text, and there is nothing to press', () => {
    const page = WorkerPage.format(shown);
    const tags = new Set([...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name?.toLowerCase()));
    for (const each of ['script', 'img', 'form', 'a', 'button', 'input', 'iframe', 'link'])
      expect(tags).not.toContain(each);
    // Every attribute is one that the page wrote itself.
    const attributes = new Set([...page.matchAll(/ ([a-z-]+)="/g)].map(([, name]) => name));
    expect([...attributes].sort()).toEqual(['charset', 'class', 'content', 'http-equiv', 'lang', 'name']);
    expect(page).not.toContain('\u202e');
  });
});
