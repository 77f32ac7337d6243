/** Builds the first journal entry of a run: its intent, and the key that identifies the same transfer. */

import type * as Execute from '../api/Execute.js';
import * as Amount from '../base/Amount.js';
import * as JsonDigest from '../base/JsonDigest.js';
import * as Network from '../network/Network.js';
import * as Currency from '../quote/Currency.js';
import type * as TransferIntent from '../quote/TransferIntent.js';
import type { BatchLineRef } from '../tracking/BatchLineRef.js';
import type * as Journal from '../tracking/Journal.js';
import type * as RunStore from '../tracking/RunStore.js';

/** Where a run is started, and how to start it again. */
export type Source = {
  /** The id of the sandbox's instance; undefined on other networks. */
  instance: string | undefined;
  baseUrl: string | undefined;
  /** The command line to run again; null if it cannot be repeated. */
  command: string | null;
  /** The name of the account that signs; null if it has none that ferry could look up. */
  account: string | null;
  /** The batch line that the run carries out, if any. */
  line?: BatchLineRef | undefined;
};

/** The opening of a run of an intent, for `Runs.create`. Its key is the same for the same intent and source. */
export function from(
  intent: TransferIntent.Intent,
  { instance, baseUrl, command, account, line }: Source,
): RunStore.Intent {
  const { network, user, origin, destination, tradeType, amount, recipient, refundTo, calls } = intent;
  const at = { network, instance: instance ?? null };
  const key = JsonDigest.of({
    ...at,
    from: side(origin),
    to: side(destination),
    amount: String(amount),
    ...{ user, tradeType, recipient, refundTo },
    ...(calls.length === 0 ? {} : { calls: calls.map(({ to, data, value }) => [to, data, String(value)]) }),
  });
  const kind = kindOf(intent);
  const opening = { kind, ...at, baseUrl: baseUrl ?? null, key, summary: summary(intent), command, account };
  return line ? { ...opening, line } : opening;
}

/** The opening of a run of a raw call. Its key is the same for the same body and source. */
export function fromCall(
  request: Execute.Request,
  network: Network.Network,
  { instance, baseUrl, command, account }: Source,
): RunStore.Intent {
  const { to, chainId } = request.data;
  const at = { network: network.name, instance: instance ?? null };
  const chain = Network.chainById(network, chainId)?.name ?? String(chainId);
  const key = JsonDigest.of({ ...at, request: normal(request) });
  return { kind: 'call', ...at, baseUrl: baseUrl ?? null, key, summary: `call ${to} on ${chain}`, command, account };
}

/** A body as every spelling of it has it: digits of hex are alike in both cases, and a value with zeros before it. */
function normal(request: Execute.Request): unknown {
  const value = String(BigInt(request.data.value));
  return JSON.parse(JSON.stringify({ ...request, data: { ...request.data, value } }).toLowerCase());
}

function side({ chain, token }: Currency.Currency): string {
  return `${chain.id}/${token.address.toLowerCase()}`;
}

function kindOf({ gasless, origin, byAddress }: TransferIntent.Intent): Journal.Kind {
  if (byAddress) return 'address';
  return origin.chain.vm === 'lvm' ? 'transfer' : (gasless ?? 'transactions');
}

/** `100 alpha/usdc → beta/usdc`, the amount in units of its token. */
function summary({ amount, origin, destination, tradeType }: TransferIntent.Intent): string {
  const exact = tradeType === 'EXACT_INPUT' ? origin : destination;
  const from = Currency.format(origin);
  const to = Currency.format(destination);
  const text = Amount.format(amount, exact.token.decimals);
  return exact === origin ? `${text} ${from} → ${to}` : `${from} → ${text} ${to}`;
}
