/** The prompts of ferry config init, with prepared answers and a running service. */
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as Loopback from '../support/loopback.js';
import { useSandbox } from '../support/sandbox.js';
import { desk, nodesOf } from '../support/setupDesk.js';
import { failure } from '../support/workbench.js';

const { sandbox } = useSandbox();

describe('answered', () => {
  test('default: an invalid answer is reported at once and can be corrected', async () => {
    const { talk, written } = desk();
    const nobody = Loopback.nobody;
    const { alpha = '', beta = '' } = sandbox.rpcUrls;
    const { data, asked } = await talk(
      [],
      [
        'another one',
        ...['my net', 'sandbox-2'],
        ...['', 'example.org', nobody, sandbox.baseUrl],
        // Real money, then the API key.
        'n',
        ...['wrong', 'sandbox-key'],
        'me',
        ...['alpha, gamma', 'alpha beta'],
        ...['', beta, alpha],
        beta,
        ...[sandbox.venueUrl],
        ...['3586256', '313373'],
        // Make it the default, then write it.
        ...['y', 'y'],
      ],
    );
    expect(data).toMatchObject({ network: 'sandbox-2', isDefault: true });
    expect(written()).toMatchObject({
      network: 'sandbox-2',
      networks: {
        'sandbox-2': {
          realMoney: false,
          apiKey: 'sandbox-key',
          referrer: 'me',
          chains: { alpha: { rpcUrl: alpha }, beta: { rpcUrl: beta } },
          venue: { signingChainId: '313373' },
        },
      },
    });
    expect(asked.map((each) => each.replaceAll(/http:\/\/[\w.:]+|\(ECONN\w+\)/g, '…'))).toMatchInlineSnapshot(`
      [
        "Which network?",
        "Name of the network",
        "A network must be a name of letters, digits, dashes and underscores that starts with a letter or digit.",
        "Name of the network",
        "URL of the service of sandbox-2",
        "It must be a URL that starts with https:// or …",
        "URL of the service of sandbox-2",
        "It must be a URL that starts with https:// or …",
        "URL of the service of sandbox-2",
        "The sandbox-2 service at … does not answer: nothing listens at … ….",
        "URL of the service of sandbox-2",
        "Does sandbox-2 use real money?",
        "API key of sandbox-2 (Enter for none)",
        "The sandbox-2 service rejected the API key or the referrer.",
        "API key of sandbox-2 (Enter for none)",
        "Referrer that belongs to the API key (Enter for none)",
        "Chains to use, separated by commas: alpha, beta",
        "The network sandbox-2 has no chain "gamma".",
        "Chains to use, separated by commas: alpha, beta",
        "RPC URL of alpha (313371)",
        "It must be a URL that starts with https:// or …",
        "RPC URL of alpha (313371)",
        "The RPC node of alpha serves a different chain.",
        "RPC URL of alpha (313371)",
        "RPC URL of beta (313372)",
        "URL of the venue (Enter for none)",
        "Signing chain id of the venue",
        "It must be the chain id that the venue’s signatures are bound to, which is never 3586256.",
        "Signing chain id of the venue",
        "Make sandbox-2 the default network?",
        "Write it?",
      ]
    `);
  });

  test('behavior: Enter keeps existing settings, and secrets are not shown', async () => {
    const { init, talk, written, file } = desk();
    const key = file('key', 'sandbox-key');
    await init([
      'mine',
      '--service-url',
      sandbox.baseUrl,
      '--api-key-file',
      key,
      ...nodesOf(sandbox),
      '--money',
      'test',
    ]);
    const before = written();
    const { data, asked } = await talk(['mine'], ['', 'n', '', '', '', '', 'n']);
    expect([data.written, written()]).toEqual([[], before]);
    expect(asked.join('\n')).toContain('Enter to keep the current one');
    expect(asked.join('\n')).not.toContain('sandbox-key');
  });

  test('behavior: a shipped network only prompts for nodes', async () => {
    const before = { networks: { sandbox: { baseUrl: sandbox.baseUrl } } };
    const { talk, written } = desk(before);
    const { alpha } = sandbox.rpcUrls;
    const { data, asked } = await talk(['sandbox'], ['alpha', alpha ?? '', 'y']);
    expect(asked).toEqual([
      'Chains to set an RPC URL for, separated by commas (Enter for none)',
      'RPC URL of alpha (313371)',
      'Write it?',
    ]);
    expect(data).toMatchObject({ isDefault: true });
    expect(written()).toEqual({
      network: 'sandbox',
      networks: { sandbox: { baseUrl: sandbox.baseUrl, chains: { alpha: { rpcUrl: alpha } } } },
    });
  });

  test('error: declining at the end or at a prompt leaves the file unchanged', async () => {
    const content = { maxImpact: 3 };
    const { talk, written, path } = desk(content);
    const mode = statSync(path).mode;
    const answers = [sandbox.baseUrl, 'n', '', 'alpha', sandbox.rpcUrls.alpha ?? '', '', 'y', 'n'];
    await failure('prompt.declined', () => talk(['mine'], answers));
    expect([written(), statSync(path).mode]).toEqual([content, mode]);
    await expect(talk(['mine'], answers.slice(0, 4))).rejects.toThrow('nobody expected');
    expect([written(), statSync(path).mode]).toEqual([content, mode]);
  });
});
