/** The published and captured answers, read in place: what ferry says of each stands in a table. */
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import * as Chains from '../../src/core/api/catalog/Chains.js';
import * as ErrorBody from '../../src/core/api/ErrorBody.js';
import * as StatusV3 from '../../src/core/api/StatusV3.js';
import * as Decode from '../../src/core/api/schema/Decode.js';
import type { OrderData } from '../../src/core/api/schema/OrderData.js';
import { native } from '../../src/core/base/Address.js';
import * as ChainVm from '../../src/core/network/ChainVm.js';
import { network } from '../../src/core/network/mainnet.js';
import * as Network from '../../src/core/network/Network.js';
import * as OrderId from '../../src/core/order/OrderId.js';
import * as RouterCheck from '../../src/core/proof/router/RouterCheck.js';
import { collect } from '../../src/core/quote/Finding.js';
import * as KnownCalls from '../../src/core/quote/KnownCalls.js';
import { type Ended, ferry } from '../support/ferry.js';
import { describePublished, read } from '../support/published.js';
import { completed, decoded, quotes, signed } from '../support/publishedVerdicts.js';

const solver = network.solver?.addresses[0] ?? '';

function verify(file: string, ...more: string[]): Promise<Ended> {
  return ferry(['verify', '-', '--json', ...more], { stdin: JSON.stringify(read(file)) });
}

type Finding = { check: string; verdict: string; found: string };

/** What is not verified. */
function openIn(proof: readonly Finding[]): Finding[] {
  return proof.filter(({ verdict }) => verdict === 'mismatch' || verdict === 'cannot verify');
}

describePublished('the table of published answers', () => {
  test.each(Object.entries(quotes))('default: %s', async (file, { at, verdict, why }) => {
    const ended = await verify(file, ...(at === undefined ? [] : ['--at', String(at + 5)]));
    const { data, error } = ended.json();
    if (verdict === 'cut') {
      expect(['quote.unreadable', 'service.malformed']).toContain(error.code);
      for (const field of why) expect(`${error.message} ${error.facts.fields ?? ''}`).toContain(field);
      return;
    }
    expect(data.network).toBe('mainnet');
    expect({ verdict: data.verdict, why: openIn(data.proof).map(({ check }) => check) }).toEqual({ verdict, why });
    expect(ended.code).toBe(verdict === 'verified' ? 0 : 5);
  });

  test.each(Object.entries(completed))('default: %s with its sender', async (file, { sender, why, steps }) => {
    const captured = read(file) as { details: object };
    const whole = { ...captured, details: { ...captured.details, sender } };
    const ended = await ferry(['verify', '-', '--json', '--network', 'mainnet'], { stdin: JSON.stringify(whole) });
    const { data } = ended.json();
    const open = openIn(data.proof);
    expect([data.verdict, open.map(({ check }) => check)]).toEqual(['cannot verify', why]);
    expect(open.filter(({ check }) => check === 'step').map(({ found }) => found)).toEqual(steps);
    expect(ended.code).toBe(5);
  });

  test('default: an order that has expired cannot be verified, unless a time is given', async () => {
    for (const [file, { at, verdict }] of Object.entries(quotes)) {
      if (at === undefined || verdict === 'cut') continue;
      const { data } = (await verify(file, '--at', String(at + 400 * 24 * 3600))).json();
      expect([file, data.verdict]).toEqual([file, verdict === 'mismatch' ? 'mismatch' : 'cannot verify']);
      const found = data.proof.map(({ check }: Finding) => check);
      expect(found).toContain('expired');
    }
  });

  test.each(signed)('default: the solver has signed the order of %s', async (file) => {
    const { protocol } = read(file) as {
      protocol: { v2: { orderId: Hex; orderSignature: string; orderData: unknown } };
    };
    const { orderId, orderSignature, orderData } = protocol.v2;
    expect(OrderId.id(orderData, ChainVm.of(network.chains))).toEqual({ ok: true, id: orderId });
    expect((await OrderId.solverOf(orderId, orderSignature))?.toLowerCase()).toBe(solver.toLowerCase());
  });

  test.each([
    ['live/router-calldata-1.json', 'base'],
    ['live/router-calldata-2-weth-unwrap.json', 'robinhood'],
  ])('default: the calldata of %s deposits everything for its order', (file, on) => {
    const { requestId, orderId, sourceData, ...rest } = read(file) as Captured;
    const call = KnownCalls.decode(sourceData);
    if (call?.function !== 'transferAndMulticall') throw new Error('it is not read');
    const user = rest.user ?? rest.automation ?? '';
    const findings = collect();
    const [token = '', amount = 0n] = [call.tokens[0], call.amounts[0]];
    RouterCheck.check(findings, call, {
      user,
      recipient: user,
      refundTo: user,
      input: { token, amount },
      contracts: Network.chain(network, on).contracts,
      solvers: network.solver?.addresses,
      requestId,
      goal: { kind: 'deposit', orderId, token: native, minimum: undefined },
    });
    expect(findings.list.filter(({ verdict }) => verdict !== 'verified')).toEqual([]);
    expect(findings.list.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['router-deposit', 'router-result', 'router-metadata', 'router-suffix']),
    );
    if (rest.orderData)
      expect(OrderId.id(rest.orderData, ChainVm.of(network.chains))).toEqual({ ok: true, id: orderId });
  });

  test('default: the status, the chains and errors are read', () => {
    for (const file of decoded.status)
      expect([file, Decode.from(StatusV3.response, read(file)).ok]).toEqual([file, true]);
    for (const file of decoded.chains)
      expect([file, Decode.from(Chains.response, read(file)).ok]).toEqual([file, true]);
    for (const file of decoded.error) expect(ErrorBody.from(read(file)).message).toBe((read(file) as Captured).message);
  });
});

type Captured = {
  requestId: string;
  orderId: Hex;
  sourceData: Hex;
  user?: string;
  automation?: string;
  orderData?: OrderData;
  message?: string;
};
