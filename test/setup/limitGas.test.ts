import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/core/command/Context.js';
import * as Config from '../../src/core/config/Config.js';
import * as GasBound from '../../src/core/execution/GasBound.js';
import * as Network from '../../src/core/network/Network.js';
import { type Connection, connect } from '../../src/io/connect/connect.js';
import { type RunningSandbox, startSandbox } from '../../src/io/sandbox/startSandbox.js';
import { boundedPrice, confirmGas, gasTerms } from '../../src/setup/limitGas.js';
import { gasLiar } from '../support/gasLiar.js';
import { chainAt } from '../support/node.js';

let sandbox: RunningSandbox;
let connection: Connection;
let alpha: Network.Chain;

beforeAll(async () => {
  sandbox = await startSandbox();
  connection = connect(sandbox.network);
  alpha = Network.chain(sandbox.network, 'alpha');
});
afterAll(async () => {
  await connection?.close();
  await sandbox?.stop();
});

/** The parts of a context that bound gas, with what was said to the user. */
function parts(extra: Partial<Context> = {}): Context & { warned: string[]; asked: string[] } {
  const [warned, asked]: [string[], string[]] = [[], []];
  const own: Partial<Context> = {
    config: Config.merge({}),
    network: connection.network,
    place: connection.network,
    service: async () => connection.service,
    interactive: false,
    yes: true,
    warn: (text) => warned.push(text),
    confirm: async (question) => void asked.push(question),
    ...extra,
  };
  return { ...(own as Context), warned, asked };
}

const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 0n };

describe('gasTerms', () => {
  test('default: the price of the service, beside those that are known, and the settings', async () => {
    const config = Config.merge({ env: { FERRY_MAX_GAS_USD: '3', FERRY_MAX_TIP: '1.5' } });
    const terms = await gasTerms(alpha, { allow: ['gas'] }, parts({ config }), { prices: [7n] });
    expect(terms).toMatchObject({ prices: [7n, 2_500_000_000n], maxUsd: 3_000_000n, isAllowed: true });
    expect([terms.maxTipWei, terms.realMoney]).toEqual([1_500_000_000n, false]);
  });

  test('behavior: without the service there is no price of it', async () => {
    const out = async () => Promise.reject(new Error('no base URL'));
    expect((await gasTerms(alpha, {}, parts({ service: out }))).prices).toEqual([]);
  });
});

test('boundedPrice: an honest node is worth no word, a lying one is named', async () => {
  const context = parts();
  const terms = await gasTerms(alpha, {}, context);
  await boundedPrice(connection.chain(alpha), terms, context);
  expect(context.warned).toEqual([]);
  const liar = chainAt((await gasLiar(alpha.rpcUrl ?? '', ['eth_feeHistory'])).url);
  const { maxPriorityFeePerGas } = await boundedPrice(liar, terms, context);
  expect(maxPriorityFeePerGas).toBe(GasBound.defaultMaxTipWei);
  expect(context.warned).toEqual([expect.stringMatching(/suggests a tip of 50000000 gwei/)]);
});

describe('confirmGas', () => {
  const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const priced = async (): Promise<GasBound.Bounds> => gasTerms(alpha, {}, parts());
  const unpriced = async (): Promise<GasBound.Bounds> => ({ ...(await priced()), prices: [], realMoney: true });
  const billOf = (terms: GasBound.Bounds): GasBound.Bill => GasBound.bill(100_000n, fees, terms);

  test('default: the question begins with the network, who pays and what the gas can cost', async () => {
    const [terms, context] = [await priced(), parts()];
    expect(await confirmGas('Revoke it?', payer, billOf(terms), terms, context)).toBe(terms);
    expect(context.asked).toEqual([`On sandbox, ${payer} pays. Gas costs at most 0.0001 ETH ($0.2500). Revoke it?`]);
  });

  test('behavior: what a person agreed to is the most that is signed', async () => {
    const terms = await priced();
    const agreed = await confirmGas('?', payer, billOf(terms), terms, parts({ interactive: true, yes: false }));
    expect(agreed.agreed).toBe(10n ** 14n);
  });

  test('behavior: without a price a person is told, and nobody else signs unless it is allowed', async () => {
    const terms = await unpriced();
    const context = parts({ interactive: true, yes: false });
    await confirmGas('?', payer, billOf(terms), terms, context);
    expect(context.asked[0]).toContain('cannot verify: gas');
    const refusal = confirmGas('?', payer, billOf(terms), terms, parts());
    await expect(refusal).rejects.toThrow('No price shows what the gas costs');
    await confirmGas('?', payer, billOf(terms), { ...terms, isAllowed: true }, parts());
  });

  test('error: over the cap nobody is asked', async () => {
    const [terms, context] = [{ ...(await priced()), maxUsd: 1n }, parts({ interactive: true, yes: false })];
    await expect(confirmGas('?', payer, billOf(terms), terms, context)).rejects.toThrow(
      'would cost more than --max-gas-usd allows',
    );
    expect(context.asked).toEqual([]);
  });
});
