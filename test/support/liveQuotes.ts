/** A stand-in for the live service: it quotes on the chains of a real network, by the engine of the sandbox. */
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import type { Network } from '../../src/core/network/Network.js';
import * as SandboxOrderId from '../../src/sandbox/quote/OrderId.js';
import type { EvmChain } from '../../src/sandbox/values/Market.js';
import { type Behaviour, json } from './loopback.js';
import * as market from './market.js';

/** A chain with the contracts and addresses that ferry ships, in the sandbox's engine. */
function chainOf({ chains }: Network, name: string): EvmChain {
  const shipped = chains.find((each) => each.name === name);
  if (!shipped?.contracts.depository) throw new Error(`no contracts on ${name}`);
  const { depository, router, approvalProxy, wrapped } = shipped.contracts;
  const tokens = market.alpha.tokens.flatMap((token) => {
    const found = [shipped.native, ...shipped.tokens].find(({ symbol }) => symbol === token.symbol);
    return found ? [{ ...token, address: found.address as `0x${string}`, decimals: found.decimals }] : [];
  });
  const contracts = {
    ...market.alpha.contracts,
    depository,
    ...(router && { router }),
    ...(approvalProxy && { approvalProxy }),
    ...(wrapped && { wrapped }),
  };
  const { id, slug, displayName } = shipped;
  return { ...market.alpha, id, slug, displayName, contracts, tokens, pools: [] };
}

/**
 * Answers each request for a quote as asked, none of which is paid, in the shape of the live service, whose solver is registered
 * on the first chain.
 */
export function answering(
  network: Network,
  names: readonly [string, ...string[]],
  alter: (text: string) => string = (text) => text,
): Behaviour {
  const chains = names.map((name) => chainOf(network, name));
  const [solver = market.solver] = network.solver?.addresses ?? [];
  return async (response, request) => {
    if (request.path.startsWith('/intents/status')) return json({ status: 'waiting' })(response, request);
    const { response: quoted } = await market.quote(JSON.parse(request.body) as QuoteV2.Request, {
      market: { ...market.input.market, nowMs: Date.now(), chains },
    });
    const order = quoted.protocol?.v2;
    if (!order) throw new Error('no order');
    const before = order.orderId.slice(2);
    order.orderData.solverChainId = chains[0]?.slug ?? '';
    order.orderData.solver = solver.toLowerCase();
    // Nobody here can sign as the live solver.
    delete order.orderSignature;
    const text = JSON.stringify({ ...quoted, details: { ...quoted.details, userBalance: '0' } });
    const bound = text.replaceAll(before, SandboxOrderId.from(order.orderData).slice(2));
    json(JSON.parse(alter(bound)))(response, request);
  };
}
