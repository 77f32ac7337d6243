/** Claims of app fees: prepared on request, paid once the wallet has signed the claim's id. */
import { encodeFunctionData, hashMessage, parseAbi, recoverMessageAddress } from 'viem';
import type * as AppFeeClaims from '../../core/api/AppFeeClaims.js';
import type * as ExecutePermits from '../../core/api/ExecutePermits.js';
import type * as Step from '../../core/api/schema/Step.js';
import { type Address, from as addressFrom, isEqual } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { describeChain, type Node, nativeToken, readFees } from '../chain/readMarket.js';
import { simulate } from '../chain/simulateCall.js';
import { messageError } from '../http/HttpError.js';
import type { Claim } from '../ledger/ledger.js';
import { read } from '../ledger/minedTransactions.js';
import { word } from '../ledger/RecordFacets.js';
import * as Calldata from '../pricing/Calldata.js';
import { chainContext, type Instance } from '../settlement/instance.js';
import * as Market from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';
import * as QuoteIds from '../values/QuoteIds.js';
import * as Valuation from '../values/Valuation.js';
import type { PermitSubmission } from './permits.js';

/** Where fees accrue: in USDC on the first chain. */
export function feeCurrency(instance: Pick<Instance, 'nodes'>): { node: Node; token: Market.EvmToken } {
  const [node] = instance.nodes;
  const token = node && Market.tokenAt(describeChain(node), node.tokens.USDC.address);
  if (!node || !token) throw new Error('The sandbox has no chain.');
  return { node, token };
}

/** Base units that a wallet can claim: its share of every delivered transfer, by value, less what was claimed. */
export function balanceOf(instance: Pick<Instance, 'ledger' | 'nodes'>, wallet: string): bigint {
  const { ledger } = instance;
  const { token } = feeCurrency(instance);
  let usd = 0n;
  for (const { order, delivered } of ledger.search({ words: [[word('appFee', wallet)]] }))
    for (const { recipient, amount } of delivered === undefined ? [] : order.appFees)
      if (isEqual(recipient, wallet)) usd += Valuation.toUsd(amount, order.payment.token);
  const paid = ledger.claims().filter((claim) => claim.hash !== undefined && isEqual(claim.wallet, wallet));
  return paid.reduce((left, { amount }) => left - amount, Valuation.fromUsd(usd, token));
}

/**
 * Stores a claim and returns the step that authorizes it. Nothing is paid or reserved yet.
 *
 * @throws HttpError with status 400 and a message
 */
export function prepareClaim(instance: Instance, wallet: string, request: AppFeeClaims.ClaimRequest) {
  const { ledger, seed, clock } = instance;
  const { node, token } = feeCurrency(instance);
  if (request.chainId !== node.id || !isEqual(request.currency, token.address))
    throw messageError(400, `App fees are paid in ${token.symbol} on chain ${node.id}`);
  const balance = balanceOf(instance, wallet);
  const amount = request.amount === undefined ? balance : BigInt(request.amount);
  if (amount === 0n || amount > balance) throw messageError(400, 'Insufficient balance');
  const id = QuoteIds.claimId({ seed, sequence: ledger.claims().length + 1 });
  ledger.putClaim({
    id,
    wallet: addressOf(wallet),
    recipient: addressOf(request.recipient),
    chainId: node.id,
    amount,
    createdAtMs: clock(),
    hash: undefined,
  });
  return { steps: [stepOf(id)] };
}

/**
 * Pays a claim that its wallet has signed, less the network gas of the payment. Idempotent: a claim is paid once.
 *
 * @throws HttpError with status 400 and a message
 */
export async function executeClaim(
  instance: Instance,
  claim: Claim,
  { request, signature }: PermitSubmission,
): Promise<ExecutePermits.Response> {
  if (request.kind !== 'claim') throw messageError(400, 'The request is a claim');
  if (!(await isSigned(instance, claim, signature))) throw messageError(400, 'Invalid signature');
  return await instance.runExclusive(`app-fees/${claim.wallet.toLowerCase()}`, async () => {
    const now = instance.ledger.claim(claim.id) ?? claim;
    if (now.hash !== undefined) return accepted;
    if (now.amount > balanceOf(instance, now.wallet)) throw messageError(400, 'Insufficient balance');
    await pay(instance, now);
    return accepted;
  });
}

/** How far the payment of a claim is. */
export async function stateOf(
  instance: Instance,
  { chainId, hash }: Claim,
): Promise<'pending' | 'success' | 'failure'> {
  const found = hash && (await read(chainContext(instance, chainId).node, hash));
  if (!found || found === 'pending') return 'pending';
  return found.isSuccess ? 'success' : 'failure';
}

const accepted: ExecutePermits.Response = { message: 'Claim submitted' };

async function pay(instance: Instance, claim: Claim): Promise<void> {
  const { ledger } = instance;
  const { token } = feeCurrency(instance);
  const { node, solver } = chainContext(instance, claim.chainId);
  await solver.runExclusive(async (send) => {
    const { gasPriceWei } = await readFees(node);
    const whole = {
      from: solver.address,
      ...Calldata.transfer(token, claim.recipient, claim.amount),
      authorizations: [],
    };
    const { frame, gas } = await simulate(node, whole);
    if (frame.error !== undefined) throw messageError(400, 'The recipient cannot be paid');
    const gasFee = Valuation.convertUp(gas.used * gasPriceWei, nativeToken(node), token);
    if (gasFee >= claim.amount) throw messageError(400, 'The amount is too low to pay for the network gas');
    const call = { ...Calldata.transfer(token, claim.recipient, claim.amount - gasFee), gas: gas.limit };
    let signed: Hex | undefined;
    try {
      await send(call, (hash) => {
        signed = hash;
        ledger.putClaim({ ...claim, hash });
      });
    } catch (error) {
      // Unless the node has it all the same, it was never broadcast.
      if (signed === undefined || (await read(node, signed)) === undefined) ledger.putClaim(claim);
      throw error;
    }
  });
}

/** Whether the wallet signed the claim: with its key, or if it is a contract, by its own judgement (EIP-1271). */
async function isSigned(instance: Instance, { id, wallet, chainId }: Claim, signature: Hex): Promise<boolean> {
  const signer = await recoverMessageAddress({ message: { raw: id }, signature }).catch(() => undefined);
  if (signer && isEqual(signer, wallet)) return true;
  const data = encodeFunctionData({
    abi: wallets,
    functionName: 'isValidSignature',
    args: [hashMessage({ raw: id }), signature],
  });
  const { rpcUrl } = chainContext(instance, chainId).node;
  // An account without code answers with nothing, and a contract may revert.
  const answer = await nodeRpc.call(rpcUrl, 'eth_call', { to: wallet, data }, 'latest').catch(() => '0x');
  return typeof answer === 'string' && answer.toLowerCase() === validSignature;
}

const wallets = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);

/** EIP-1271's answer to a valid signature, as a word. */
const validSignature = '0x1626ba7e'.padEnd(66, '0');

function stepOf(requestId: Hex): Step.Step {
  const data = {
    sign: { signatureKind: 'eip191', message: requestId },
    post: { endpoint: '/execute/permits', method: 'POST', body: { kind: 'claim', requestId } },
  };
  return {
    id: 'authorize',
    action: 'Sign authorization',
    description: 'Authorize claiming funds',
    kind: 'signature',
    items: [{ status: 'incomplete', data }],
  };
}

function addressOf(text: string): Address {
  const address = PartyAccount.toAddress(text);
  if (!address) throw messageError(400, `Invalid address ${text}`);
  return addressFrom(address);
}
