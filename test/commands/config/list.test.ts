import { expect, test } from 'vitest';
import { command } from '../../../src/commands/config/list.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { context, run, workbench } from '../../support/workbench.js';

test('run', async () => {
  const bench = workbench({ env: { FERRY_NETWORK: 'mainnet', FERRY_API_KEY: 'hush' } });
  const user = bench.write(
    'home/.config/ferry/config.json',
    '{ "maxImpact": 3, "networks": { "mainnet": { "apiKey": "hush-2" } } }',
  );
  const project = bench.write('home/code/project/.ferryrc.yaml', 'maxFeeUsd: 2\n');
  const found = await run(command, { args: [] }, await context(bench, { flags: { slippage: '0.5' } }));
  expect(found.userFile).toBe(user);
  expect(Object.fromEntries(found.settings.map(({ key, value, source }) => [key, [value, source]]))).toMatchObject({
    network: ['mainnet', { kind: 'env', name: 'FERRY_NETWORK' }],
    apiKey: ['***', { kind: 'env', name: 'FERRY_API_KEY' }],
    slippage: ['0.5%', { kind: 'flag', name: '--slippage' }],
    maxImpact: ['3%', { kind: 'user', path: user }],
    maxFeeUsd: ['$2', { kind: 'project', path: project }],
    maxAge: ['30s', { kind: 'default' }],
    account: [null, { kind: 'default' }],
    'networks.mainnet.apiKey': ['***', { kind: 'user', path: user }],
  });
  expect(JSON.stringify(found) + command.view(found, plain)).not.toContain('hush');
});

test('view', async () => {
  const bench = workbench({ env: { FERRY_PRIVATE_KEY: `0x${'5a'.repeat(32)}` } });
  const found = await run(command, { args: [] }, await context(bench));
  expect(command.view(found, plain)).toMatchInlineSnapshot(`
      "network          sandbox  default
      account          -        default
      accountSigner    -        default
      keyFile          -        default
      passwordFile     -        default
      privateKey       ***      FERRY_PRIVATE_KEY
      slippage         auto     default
      maxImpact        5%       default
      maxFeeUsd        none     default
      maxVenueFee      $10      default
      maxGasUsd        $25      default
      maxTip           auto     default
      maxAge           30s      default
      witnesses        one      default
      allow            -        default
      timeout          5m       default
      rateLimit        auto     default
      notify           -        default
      bell             false    default
      color            auto     default
      quiet            false    default
      store            -        default
      storeAsync       false    default
      submitters       -        default
      recipients       -        default
      maxLine          -        default
      maxDay           -        default
      baseUrl          -        default
      apiKey           -        default
      apiKeys          -        default
      referrer         -        default
      venueUrl         -        default
      venueKey         -        default
      venueKeyFile     -        default
      venuePrivateKey  -        default"
    `);
});
