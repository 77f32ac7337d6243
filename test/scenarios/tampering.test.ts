/** The whole program against a dishonest service: every tamper recipe is refused, and nothing is sent. */
import { describe, expect, test } from 'vitest';
import * as Tampering from '../../src/sandbox/quote/Tampering.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault } from '../support/faults.js';
import { at, type Ended, ferry } from '../support/ferry.js';
import * as market from '../support/market.js';
import { nonceAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

/** dev0's transaction count, including pending ones. */
const nonce = (): Promise<number> => nonceAt(sandbox.rpcUrls.alpha, accounts.dev0.address, 'pending');

/** A check that refuses each recipe, for every transfer it applies to. */
const checks: Readonly<Record<Tampering.Recipe, RegExp>> = {
  'wrong-recipient': /^(order-recipient|effect-output|recipient|swap-receiver of swap)$/,
  'wrong-minimum': /^(order-minimum|minimum-received)$/,
  'low-output': /^(order-minimum|price)$/,
  'wrong-depository': /^(contract of (deposit|swap)|order-binding of authorize1|payment-depository)$/,
  'extra-router-call': /^(router-payments|router-result) of|^(effect-success|effect-output)$/,
  'swap-receiver': /^swap-receiver of/,
  'dust-order': /^(loss$|effect-)/,
  'simulation-aware': /^(effect-output|effect-deposit|swap)/,
  'swap-minimum': /^(swap-minimum|router-result) of|^origin-minimum$/,
  'router-refund': /^refund-to of/,
  'router-metadata': /^router-metadata of/,
  'router-suffix': /^router-suffix of/,
  'wrong-depositor': /^(depositor|router-deposit) of deposit$/,
  'router-depository': /^depository of deposit$/,
  'wrong-signature': /^solver-signature$/,
  'larger-amount': /^(amount-paid|value|allowance|signature-value) of|^amount$/,
  'unlimited-approval': /^allowance of approve$/,
  'another-spender': /^spender of approve$/,
  'extra-step': /^one-payment$/,
  'router-theft': /^(effect-output|router-result of swap)$/,
  'trailing-bytes': /^(function|router-suffix) of/,
  'deposit-address': /^deposit-address of/,
  'other-typed-data': /^signature-spender of/,
  'opaque-digest': /^signature-(post|message) of/,
  'router-payee': /^signature-spender of/,
  'any-submitter': /^order-binding of/,
  'other-nonce': /^order-binding of/,
  'longer-validity': /^signature-deadline of/,
  'later-validity': /^signature-deadline of/,
  'other-post': /^signature-post of/,
  'foreign-post': /^signature-post of/,
  'foreign-check-url': /^check-endpoint of/,
  'wrong-refund': /^refund-recipient of refund 1$/,
  'wrong-deposit-id': /^((deposit-id|router-deposit|router-suffix) of deposit|order-binding of authorize1|order-id)$/,
  'request-id-memo': /^deposit-id of deposit$/,
  'other-currency': /^(order-output-currency|output-currency)$/,
  'other-chain': /^(order-output-chain|output-currency)$/,
  'larger-fee': /^venue-fee of/,
  'other-asset': /^venue-asset of/,
  'other-route': /^venue-routes of/,
  'order-calls': /^order-calls$/,
  'other-solver': /^order-solver$/,
  'expired-order': /^order-deadline$/,
  'worse-fees': /^(fees-sum|figures)$/,
};

type Case = { transfer: string; recipe: Tampering.Recipe; consistent: boolean };

/** Every recipe on every transfer it changes, plus its consistent form if that differs. */
async function casesOf(amount: bigint, text: string): Promise<Case[]> {
  const [, from = '', to = '', usePermit] = text.split(' ');
  const options = { includeProtocolData: true, usePermit: usePermit !== undefined };
  const { response } = await market.quote(market.request(amount, from, to, options));
  const tampered = (recipe: Tampering.Recipe, consistent: boolean): string =>
    JSON.stringify(Tampering.from(response, recipe, { consistent }));
  return Tampering.recipes.flatMap((recipe) => {
    const [naive, liar] = [tampered(recipe, false), tampered(recipe, true)];
    return [
      ...(naive === JSON.stringify(response) ? [] : [{ transfer: text, recipe, consistent: false }]),
      ...(liar === naive ? [] : [{ transfer: text, recipe, consistent: true }]),
    ];
  });
}

const bridge = await casesOf(100_000_000n, '100 alpha/usdc beta/usdc');
const native = await casesOf(10n ** 18n, '1 alpha/eth beta/eth');
const swap = await casesOf(100_000_000n, '100 alpha/usdc alpha/gull');
const nativeSwap = await casesOf(10n ** 18n, '1 alpha/eth alpha/usdc');
const swapped = await casesOf(1_000n * 10n ** 18n, '1000 alpha/gull beta/usdc');
const unwrapped = await casesOf(10n ** 17n, '0.1 alpha/weth beta/usdc');

/** The recipes about the router's calls, where all others are covered by another transfer. */
const ofRouter = (cases: readonly Case[]): Case[] =>
  cases.filter(({ recipe }) => /^(extra-router-call|swap-|router-|wrong-depositor|wrong-deposit-id)/.test(recipe));

/** The rest of a quote is the same, whatever pays for it. */
const ofSignature: readonly Tampering.Recipe[] = [
  'wrong-depository',
  'larger-amount',
  'wrong-deposit-id',
  'other-typed-data',
  'router-payee',
  'any-submitter',
  'other-nonce',
  'longer-validity',
  'later-validity',
  'other-post',
  'foreign-post',
];
const permit = (await casesOf(100_000_000n, '100 alpha/usdc beta/usdc --permit')).filter(({ recipe }) =>
  ofSignature.includes(recipe),
);

const cases = [...bridge, ...native, ...swap, ...swapped, ...ofRouter(unwrapped), ...ofRouter(nativeSwap), ...permit];

/** Each lie once, told about one transfer after the other. */
const told = [...new Set(cases.map(lieOf))].map(turnOf);

function lieOf({ recipe, consistent }: Case): string {
  return `${recipe} ${consistent}`;
}

function turnOf(lie: string, turn: number): Case {
  const alike = cases.filter((each) => lieOf(each) === lie);
  return alike[turn % alike.length] as Case;
}

describe('execute', () => {
  test.each(told)('error: $transfer, $recipe, consistent: $consistent', async ({ transfer, recipe, consistent }) => {
    const before = await nonce();
    const ended = await execute(transfer, recipe, consistent, '--json');
    expect(ended.code).toBe(5);
    const { error, ok } = ended.json();
    expect({ ok, ...error }).toMatchObject({ ok: false, exit: 5, funds: 'untouched' });
    expect(error.code).toMatch(/^verify\.(mismatch|unverified|cap)$/);
    expect(Object.keys(error.facts)).toContainEqual(expect.stringMatching(checks[recipe]));
    expect(await nonce()).toBe(before);
  });

  test.each(bridge.slice(0, 1))('error: $transfer, $recipe, consistent: $consistent, as text', async (each) => {
    const { code, stdout, stderr } = await execute(each.transfer, each.recipe, each.consistent);
    expect(code).toBe(5);
    expect(stdout).toBe('');
    const words = stderr.split('\n').map((line) => line.trim().split(/ {2,}/)[0] ?? '');
    expect(words).toContainEqual(expect.stringMatching(checks[each.recipe]));
  });

  test('behavior: without the fault the same transfers succeed', async () => {
    const before = await nonce();
    for (const { transfer } of [bridge, native, swap, nativeSwap, swapped, unwrapped, permit].flatMap(
      (cases) => cases[0] ?? [],
    ))
      expect((await ferry(['execute', ...transfer.split(' '), '--yes'], { env: at(sandbox) })).code).toBe(0);
    expect(await nonce()).toBeGreaterThan(before);
  });

  test('attack: 32 bytes to sign are refused, whatever is allowed', async () => {
    const transfer = '100 alpha/usdc beta/usdc';
    const allowed = ['signature-message', 'order-binding'].flatMap((check) => ['--allow', check]);
    const ended = await execute(transfer, 'opaque-digest', true, '--permit', ...allowed, '--json');
    const { error } = ended.json();
    expect([ended.code, error.code, error.funds]).toEqual([5, 'verify.unverified', 'untouched']);
    expect(error.hint).not.toContain('--allow');
  });
});

async function execute(
  transfer: string,
  recipe: Tampering.Recipe,
  consistent: boolean,
  ...more: string[]
): Promise<Ended> {
  const match = { path: '/quote/v2' };
  await addFault(sandbox, 'service', { kind: 'tamper', match, times: 0, recipe, consistent });
  return ferry(['execute', ...transfer.split(' '), '--yes', ...more], { env: at(sandbox) });
}
