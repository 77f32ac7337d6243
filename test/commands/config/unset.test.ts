import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ferry, temporaryFolder } from '../../support/ferry.js';

/** Runs command lines one after the other in one home; returns what the last one ended with. */
async function inTurn(home: string, ...lines: readonly string[]) {
  const ended = [];
  for (const line of lines) ended.push(await ferry(line.split(' '), { home }));
  return ended.at(-1);
}

describe('config unset', () => {
  test('default: a setting and the empty groups around it are gone, the rest stays', async () => {
    const home = temporaryFolder();
    const key = 'networks.mainnet.chains.base.rpcUrl';
    const sets = ['config set maxImpact 3', `config set ${key} https://rpc.example.org`, 'config set maxFeeUsd 5'];
    const ended = await inTurn(home, ...sets, `config unset ${key} --json`);
    const path = join(home, '.config/ferry/config.json');
    expect([ended?.code, ended?.json().data]).toEqual([0, { key, wasSet: true, path }]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ maxImpact: '3', maxFeeUsd: '5' });
    expect((await inTurn(home, 'config unset maxImpact', 'config get maxImpact --json'))?.json().data.source.kind).toBe(
      'default',
    );
  });

  test('behavior: with --network, that of one network is set, read and removed', async () => {
    const home = temporaryFolder();
    const path = join(home, '.config/ferry/config.json');
    const set = await inTurn(home, 'config set account main --network mainnet');
    expect([set?.code, set?.stderr]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ networks: { mainnet: { account: 'main' } } });
    expect((await inTurn(home, 'config get account --network mainnet'))?.stdout).toBe('main\n');
    expect((await inTurn(home, 'config get account'))?.stdout).toBe('');
    await inTurn(home, 'config unset account --network mainnet');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({});
    await inTurn(home, 'config set bell true --network mainnet');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ bell: true });
  });

  test('behavior: an account for every network would pay on the sandbox too: the warning says what else there is', async () => {
    const home = temporaryFolder();
    const set = await inTurn(home, 'config set account main');
    expect([set?.code, set?.stderr]).toEqual([0, expect.stringContaining('account main --network mainnet')]);
    expect((await inTurn(home, 'config set account dev3'))?.stderr).toBe('');
    expect((await inTurn(home, 'config set network testnet', 'config set account main'))?.stderr).toBe('');
  });

  test('behavior: what is not set stays so, and no file is written', async () => {
    const home = temporaryFolder();
    const ended = await inTurn(home, 'config unset aliases.toString');
    expect([ended?.code, ended?.stdout.split('\n')[0]]).toEqual([0, 'aliases.toString was not set']);
    expect((await inTurn(home, 'config path --json'))?.json().data.exists).toBe(false);
  });
});
