/**
 * Receipts of strangers: whoever hands one over has written every word of it. What it calls a currency, how many decimals
 * that has, on which network it was paid and by whom are held to what the payee's own ferry and nodes know.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, type Envelope, ferry, temporaryFolder } from '../support/ferry.js';
import { ask, minedAt } from '../support/node.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox } = useSandbox();

const payee = accounts.dev4.address;

/** The receipt of a delivered transfer to the payee. */
function receiptOf(...transfer: string[]): Promise<Envelope> {
  return receiptBy('dev3', ...transfer);
}

async function receiptBy(payer: string, ...transfer: string[]): Promise<Envelope> {
  const folder = temporaryFolder();
  const env = { ...at(sandbox), FERRY_STATE_DIR: folder };
  const typed = [...transfer, '--recipient', payee, '--account', payer, '--yes', '--json'];
  const ended = await ferry(typed, { env });
  expect(ended.json().error).toBeUndefined();
  const file = join(folder, 'receipt.json');
  expect((await ferry(['receipt', ended.json().data.run, '-o', file], { env })).code).toBe(0);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** What the payee's ferry says of an envelope, once it is changed. */
function verified(
  receipt: Envelope,
  change: (data: Envelope, envelope: Envelope) => void,
  ...options: string[]
): Promise<Ended> {
  const envelope = structuredClone(receipt);
  change(envelope.data, envelope);
  const file = join(temporaryFolder(), 'receipt.json');
  writeFileSync(file, JSON.stringify(envelope));
  const env = { ...at(sandbox), FERRY_STATE_DIR: temporaryFolder() };
  return ferry(['verify', file, '--recipient', payee, ...options, '--json'], { env });
}

function missed({ json }: Ended): string[] {
  const { proof } = json().data as { proof: { check: string; verdict: string }[] };
  return proof.filter(({ verdict }) => ['mismatch', 'cannot verify'].includes(verdict)).map(({ check }) => check);
}

describe('what was paid', () => {
  test('attack: 0.99 USDC that the receipt writes with two decimals is not 99', async () => {
    const receipt = await receiptOf('execute', '1', 'alpha/usdc', 'beta/usdc');
    expect((await verified(receipt, () => {}, '--min-out', '0.9')).code).toBe(0);
    const coarse = ({ destination }: Envelope) => Object.assign(destination, { decimals: 2 });
    const ended = await verified(receipt, coarse, '--min-out', '99');
    expect([ended.code, missed(ended)]).toEqual([5, ['decimals']]);
  });

  test('attack: what a receipt calls the token, the chain and the amount is not repeated', async () => {
    const receipt = await receiptOf('execute', '100', 'alpha/usdc', 'beta/gull');
    const said = (await verified(receipt, () => {})).json().data.receipt;
    expect(said.currency).toBe('beta/gull');
    const ended = await verified(receipt, ({ destination, received }) => {
      Object.assign(destination, { chain: 'ethereum', symbol: 'USDC' });
      received.formatted = '1000000';
    });
    expect(ended.json().data.receipt).toEqual(said);
  });

  test('attack: a receipt does not choose the network that it is checked on', async () => {
    const receipt = await receiptOf('execute', '1', 'alpha/usdc', 'beta/usdc');
    const ended = await verified(receipt, () => {}, '--network', 'mainnet');
    expect(ended.json().error).toMatchObject({
      code: 'request.unsupported',
      message: 'The receipt is for the network sandbox, not mainnet.',
    });
  });
});

describe('who paid', () => {
  test('attack: on one chain, the payment of somebody else is not that of the payer', async () => {
    const receipt = await receiptOf('execute', '100', 'alpha/usdc', 'alpha/dai');
    expect((await verified(receipt, () => {})).code).toBe(0);
    const own = { from: accounts.dev5.address, to: accounts.dev5.address };
    const txHash = await minedAt(sandbox.rpcUrls.alpha, own);
    const ended = await verified(receipt, (data) => {
      data.payer = accounts.dev5.address;
      data.deposit = { ...data.deposit, txHash, logs: [] };
    });
    expect([ended.code, missed(ended)]).toEqual([5, ['fill-order']]);
  });

  test('attack: on one chain, the contract at which the recipient has bought is no payer', async () => {
    const receipt = await receiptBy('dev4', 'execute', '100', 'alpha/usdc', 'alpha/dai');
    expect((await verified(receipt, () => {}, '--user', payee)).code).toBe(0);
    const { txHash } = receipt.data.deposit;
    const { to } = (await ask(sandbox.rpcUrls.alpha, 'eth_getTransactionByHash', txHash)) as Envelope;
    const ended = await verified(receipt, (data) => Object.assign(data, { payer: to }), '--user', to);
    expect([ended.code, missed(ended)]).toEqual([5, ['deposit']]);
  });

  test('attack: a withdrawal from the venue by another account is not that of the payer', async () => {
    const receipt = await receiptOf('venue', 'withdraw', '50', 'beta/usdc');
    expect((await verified(receipt, () => {})).code).toBe(0);
    const ended = await verified(receipt, (data) => Object.assign(data, { payer: '101' }), '--user', '101');
    expect([ended.code, missed(ended)]).toEqual([5, ['deposit']]);
  });
});
