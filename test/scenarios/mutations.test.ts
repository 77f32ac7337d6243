/**
 * Quotes mutated in every field, naively and consistently: none of them is signed. The suite runs every twelfth mutation of
 * each quote, and one in each place of any. All:
 * MUTATIONS=all npx vitest run --config test/vitest.config.ts test/scenarios/mutations.test.ts
 */
import { type Hex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/core/base/Address.js';
import * as Amount from '../../src/core/base/Amount.js';
import { network } from '../../src/core/network/sandbox.js';
import * as Expectation from '../../src/core/proof/Expectation.js';
import * as Verification from '../../src/core/proof/Verification.js';
import * as Currency from '../../src/core/quote/Currency.js';
import * as Quote from '../../src/core/quote/Quote.js';
import * as TransferIntent from '../../src/core/quote/TransferIntent.js';
import * as Tampering from '../../src/sandbox/quote/Tampering.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { applied, contentOf, judge, type Outcome, outcomes, rules } from '../support/judgement.js';
import { lies, orderId } from '../support/liar.js';
import { altered, rearranged, respelt } from '../support/mutations.js';
import { ask, chainAt, receiptAt } from '../support/node.js';
import { get, put } from '../support/places.js';
import { useSandbox } from '../support/sandbox.js';
import { serviceAt } from '../support/service.js';
import { made, quoteOf, recorded, type Specimen } from '../support/specimens.js';

const all = process.env.MUTATIONS === 'all';

const specimens = [...recorded(), ...(await onRealMoney()), ...(await made())];

/** The recorded withdrawal, where the memo is held to the order id and the solver must have signed. */
async function onRealMoney(): Promise<Specimen[]> {
  const found = recorded().filter(({ name }) => name === 'quote-venue-withdrawal');
  return Promise.all(
    found.map(async (each) => {
      const raw = get(each.answer, 'protocol.v2.orderId') as Hex;
      const signature = await privateKeyToAccount(accounts.solver.privateKey).signMessage({ message: { raw } });
      return {
        ...each,
        name: `${each.name} on real money`,
        answer: put(each.answer, 'protocol.v2.orderSignature', signature),
        network: { ...each.network, realMoney: true },
      };
    }),
  );
}

/** The places that were mutated in some quote. */
const met = new Set<string>();

/** How many mutants had an outcome, as they are and as the worst lie. */
const tally: Record<'naive' | 'liar', Partial<Record<Outcome, number>>> = { naive: {}, liar: {} };

describe('from', () => {
  test.each(specimens.map((specimen, index) => [specimen.name, specimen, index] as const))(
    'default: %s passes, unchanged and in upper case',
    async (_, specimen, index) => {
      expect(await judge(specimen, specimen.answer)).toMatchObject({ kind: 'passed' });
      const honest = contentOf(quoteOf(specimen, specimen.answer));
      for (const { at, answer } of respelt(specimen).filter((__, place) => all || (place + index) % 3 === 0)) {
        expect([at, await judge(specimen, answer)]).toMatchObject([at, { kind: 'passed' }]);
        expect(contentOf(quoteOf(specimen, answer))).toBe(honest);
      }
    },
  );

  test('behavior: the mutator can recompute the id of every order', () => {
    for (const { answer } of specimens)
      expect(orderId(get(answer, 'protocol.v2.orderData'))).toBe(get(answer, 'protocol.v2.orderId'));
  });

  test('error: a withdrawal whose memo names the request is refused on real money alone', async () => {
    const [real] = await onRealMoney();
    const elsewhere = recorded().find(({ name }) => name === 'quote-venue-withdrawal');
    if (!real || !elsewhere) throw new Error('no withdrawal');
    const named = Tampering.from(real.answer, 'request-id-memo', { consistent: true });
    expect(named).not.toEqual(real.answer);
    expect(await judge(real, named)).toEqual({ kind: 'refused', checks: ['deposit-id'] });
    expect(await judge(elsewhere, named)).toMatchObject({ kind: 'passed' });
  });

  test('behavior: a consistent mutation contradicts only the request', async () => {
    const specimen = specimens.find(({ name }) => name === 'bridge of a token');
    if (!specimen) throw new Error('no bridge');
    const found = altered(specimen).filter(({ at, after }) => /payments\.0\.recipient$/.test(at) && after);
    expect(found).toHaveLength(2);
    for (const mutant of found) {
      const naive = await judge(specimen, mutant.answer);
      expect(naive).toMatchObject({ checks: ['order-id', 'solver-signature', 'order-recipient'] });
      const [bare, alike] = await Promise.all((await lies(specimen, mutant)).map((lie) => judge(specimen, lie)));
      expect(bare).toMatchObject({ checks: ['order-recipient'] });
      expect(alike).toMatchObject({ checks: ['recipient', 'order-recipient', 'refund-recipient'] });
    }
  });

  test.each(specimens.map((specimen, index) => [specimen.name, specimen, index] as const))(
    'error: %s is refused when mutated, naively or consistently',
    async (_, specimen, index) => {
      const missed: string[] = [];
      for (const [turn, mutant] of [...altered(specimen), ...rearranged(specimen)].entries()) {
        if (!all && met.has(mutant.at) && (turn + index) % 20 !== 0) continue;
        met.add(mutant.at);
        const { naive, liar } = await outcomes(specimen, mutant);
        tally.naive[naive] = (tally.naive[naive] ?? 0) + 1;
        tally.liar[liar] = (tally.liar[liar] ?? 0) + 1;
        if (naive === 'missed' || liar === 'missed') missed.push(`${mutant.at}: ${mutant.change}`);
      }
      expect(missed).toEqual([]);
    },
  );

  test('behavior: all but the excused mutations are refused, and every excuse applies', async () => {
    expect(specimens.length).toBeGreaterThanOrEqual(12);
    for (const { refused, missed = 0 } of [tally.naive, tally.liar]) {
      expect(refused).toBeGreaterThanOrEqual(all ? 3_000 : 500);
      expect(missed).toBe(0);
    }
    if (all) expect(rules.filter((rule) => !applied.has(rule)).map(({ reason }) => reason)).toEqual([]);
  });
});

describe('observe', () => {
  const { sandbox } = useSandbox();
  const patient = { timeoutMs: 60_000 };
  const who = accounts.dev0.address;
  const whom = accounts.dev1.address;

  /** The effect of executing a quote: what leaves the user, except gas, and what reaches the recipient. */
  async function sent(quote: Quote.Quote): Promise<{ paid: bigint; received: bigint }> {
    const { alpha: rpcUrl } = sandbox.rpcUrls;
    const node = chainAt(rpcUrl, patient);
    const { origin, destination } = quote.intent;
    const [input, output] = [origin.token.address, destination.token.address] as Address[];
    const held = () => Promise.all([node.balance(who, input ?? who), node.balance(whom, output ?? who)]);
    const snapshot = await ask(rpcUrl, 'evm_snapshot');
    const before = await held();
    let gas = 0n;
    for (const { from, to, data, value } of Quote.transactions(quote)) {
      const hash = await ask(rpcUrl, 'eth_sendTransaction', { from, to, data, value: toHex(value) });
      await receiptAt(rpcUrl, hash as Hex);
      const { gasUsed = 0n, effectiveGasPrice = 0n, status } = (await node.receipt(hash as Hex)) ?? {};
      expect(status).toBe('success');
      gas += Currency.isNative(origin) ? gasUsed * effectiveGasPrice : 0n;
    }
    const after = await held();
    await ask(rpcUrl, 'evm_revert', snapshot);
    return { paid: before[0] - after[0] - gas, received: after[1] - before[1] };
  }

  test.each([
    ['100', 'alpha/usdc', 'alpha/gull'],
    ['1', 'alpha/eth', 'alpha/usdc'],
  ])('error: mutated router calls for %s %s to %s are refused, or harmless', async (amount, from, to) => {
    const [origin, destination] = [from, to].map((text) => Currency.parse(text, network) as Currency.Currency);
    if (!origin || !destination) throw new Error('no currencies');
    const around = { network: network.name, user: who, slippageBps: 50, referrer: undefined };
    const intent = TransferIntent.from(
      Amount.from(amount, origin.token.decimals),
      origin,
      destination,
      { recipient: whom },
      around,
    );
    const answer = await serviceAt(sandbox.baseUrl, patient).quote(TransferIntent.toRequest(intent));
    const specimen: Specimen = { name: from, answer, intent, network, nowMs: Date.now(), allow: [] };
    const node = chainAt(sandbox.rpcUrls.alpha, patient);
    const words = new Map(
      altered(specimen)
        .filter(({ at }) => /ulticall\./.test(at))
        .map((mutant) => [mutant.at, mutant]),
    );
    let refused = 0;
    for (const mutant of [...words.values()].filter((_, at) => all || at % 2 === 0)) {
      const verdict = await judge(specimen, mutant.answer);
      if (verdict.kind !== 'passed') continue;
      const { findings: effect } = await Verification.observe(
        verdict.quote,
        Expectation.from(intent),
        network,
        node,
        [],
      );
      if (effect.some((each) => each.verdict === 'mismatch')) {
        refused += 1;
        continue;
      }
      const { paid, received } = await sent(verdict.quote);
      expect([mutant.at, paid]).toEqual([mutant.at, verdict.quote.input]);
      expect(received).toBeGreaterThanOrEqual(verdict.quote.minimum);
    }
    expect(refused).toBeGreaterThanOrEqual(all ? 10 : 4);
  });
});
