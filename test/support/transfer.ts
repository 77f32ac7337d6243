/** Real implementations for a transfer, on a sandbox in this process. */
import { privateKeyToAccount } from 'viem/accounts';
import * as Amount from '../../src/core/base/Amount.js';
import type * as Execution from '../../src/core/execution/Execution.js';
import * as Plan from '../../src/core/execution/Plan.js';
import type * as Network from '../../src/core/network/Network.js';
import { network as shipped } from '../../src/core/network/sandbox.js';
import type { Account, Clock } from '../../src/core/ports/Ports.js';
import * as Verification from '../../src/core/proof/Verification.js';
import * as Currency from '../../src/core/quote/Currency.js';
import * as Quote from '../../src/core/quote/Quote.js';
import * as TransferIntent from '../../src/core/quote/TransferIntent.js';
import * as NonceRelease from '../../src/core/tracking/NonceRelease.js';
import { createChain } from '../../src/io/chain/chainClient.js';
import { createHttp } from '../../src/io/http/httpClient.js';
import { createService } from '../../src/io/http/serviceClient.js';
import { createCountedHere } from '../../src/io/locks/countedPayments.js';
import { host } from '../../src/io/terminal/host.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { caps } from './quoted.js';
import type { TestSandbox } from './sandbox.js';

export type Transfer = { network: Network.Network; ports: Execution.Ports; warnings: string[] };

/** A world around a sandbox. `signal` is the one that Ctrl-C would abort. */
export function transferOn(sandbox: TestSandbox, signal: AbortSignal = new AbortController().signal): Transfer {
  const { now, sleep } = host(signal);
  const clock: Clock = { now, sleep };
  const { fetch } = createHttp({ signal, env: {}, userAgent: 'test' });
  const network: Network.Network = {
    ...shipped,
    baseUrl: sandbox.baseUrl,
    chains: shipped.chains.map((chain) => ({ ...chain, rpcUrl: sandbox.rpcUrls[chain.name as 'alpha'] })),
  };
  const warnings: string[] = [];
  const [alpha, beta] = network.chains.map((chain) =>
    createChain({
      fetch,
      network: network.name,
      chain,
      rpcUrl: chain.rpcUrl ?? '',
      clock,
      random: Math.random,
      signal,
    }),
  );
  if (!alpha || !beta) throw new Error('the sandbox has two chains');
  return {
    network,
    warnings,
    ports: {
      service: createService({ fetch, network, clock, random: Math.random, signal }),
      origin: alpha,
      destination: beta,
      account: signer('dev0'),
      turn: NonceRelease.none,
      journal: { append: async () => {} },
      counted: createCountedHere(),
      clock,
      signal,
      warn: (text) => warnings.push(text),
    },
  };
}

/** A development account. */
export function signer(name: 'dev0' | 'dev1' | 'dev9'): Account {
  const { address, privateKey } = accounts[name];
  const account = privateKeyToAccount(privateKey);
  return {
    address,
    name,
    signTransaction: ({ authorizationList: _, ...transaction }) =>
      account.signTransaction({ ...transaction, type: 'eip1559' }),
    signTypedData: (typed) => account.signTypedData(typed as Parameters<typeof account.signTypedData>[0]),
    signMessage: (message) => account.signMessage({ message }),
    signAuthorization: async (wanted) => {
      const { r, s, yParity = 0 } = await account.signAuthorization(wanted);
      return { ...wanted, yParity, r, s };
    },
  };
}

/** The verified plan of a transfer, quoted by the sandbox. */
export async function planOn(
  { network, ports }: Transfer,
  amount: string,
  from: string,
  to: string,
  user = ports.account.address,
): Promise<Plan.Plan> {
  const origin = Currency.parse(from, network) as Currency.Currency;
  const destination = Currency.parse(to, network) as Currency.Currency;
  const base = Amount.from(amount, origin.token.decimals);
  const surroundings = { network: network.name, user, slippageBps: undefined, referrer: undefined };
  const intent = TransferIntent.from(base, origin, destination, {}, surroundings);
  const quotedAt = ports.clock.now();
  const quote = Quote.from(
    await ports.service.quote(TransferIntent.toRequest(intent, { wantsSignature: true })),
    intent,
    quotedAt,
  );
  const at = { network, baseUrl: network.baseUrl, nowMs: quotedAt };
  const policy = { network, isAsked: false, allow: [], shown: [] };
  return Plan.from(Verification.from(await Verification.proofOf(quote, caps, at), policy));
}
