/** Example smoke files: the built-in list for the sandbox, and a template for the user's own file. */
import type * as Network from '../network/Network.js';

/** The file content that `ferry smoke` runs on the sandbox if no file is given. */
export const sandbox = {
  cap: { usd: '500' },
  defaults: { expect: { maxSeconds: 60 } },
  cases: [
    {
      name: 'quote a bridge',
      ...{ amount: '100', from: 'alpha/usdc', to: 'beta/usdc' },
      expect: { minOut: '97', maxFeeUsd: '1' },
    },
    { name: 'quote a swap on one chain', amount: '0.1', from: 'alpha/eth', to: 'alpha/usdc' },
    {
      name: 'quote an exact output across chains',
      ...{ amount: '50', from: 'alpha/usdc', to: 'beta/gull', exactOutput: true },
      expect: { minOut: '50' },
    },
    { name: 'quote a withdrawal from the venue', amount: '100', from: 'lighter/usdc', to: 'alpha/usdc' },
    {
      name: 'refuse to quote dust',
      ...{ amount: '0.000001', from: 'alpha/usdc', to: 'beta/usdc' },
      expect: { code: 'service.refused', exit: 3 },
    },
    {
      name: 'bridge',
      does: 'execute',
      ...{ amount: '10', from: 'alpha/usdc', to: 'beta/usdc' },
      expect: { minOut: '9.7', maxFeeUsd: '1', status: 'success' },
    },
    {
      name: 'bridge without gas',
      does: 'execute',
      ...{ amount: '10', from: 'alpha/usdc', to: 'beta/usdc', gasless: true, account: 'dev9' },
      expect: { minOut: '9.7' },
    },
    { name: 'deposit to the venue', does: 'execute', amount: '10', from: 'alpha/usdc', to: 'lighter/usdc' },
    {
      name: 'have a bridge refunded',
      does: 'execute',
      ...{ amount: '10', from: 'alpha/dai', to: 'beta/dai', referrer: 'debug-force-refund' },
      expect: { status: 'refund' },
    },
  ],
};

/** A template as YAML, with currencies of the network. */
export function format({ chains }: Network.Network): string {
  const [first, second] = chains.filter(({ vm }) => vm === 'evm');
  const shared = first?.tokens.filter(({ symbol }) => second?.tokens.some((other) => other.symbol === symbol)) ?? [];
  const token = shared.find(({ symbol }) => symbol === 'USDC') ?? shared[0] ?? first?.native;
  const symbol = token?.symbol.toLowerCase() ?? 'usdc';
  const [cap, amount, least] = token === first?.native ? ['0.02', '0.01', '0.0095'] : ['20', '10', '9.5'];
  const from = `${first?.name ?? 'chain'}/${symbol}`;
  const to = `${(second ?? first)?.name ?? 'chain'}/${symbol}`;
  return `# Cases for ferry smoke: transfers, each with expectations. Put amounts in quotes.
cap: # limits the spending of all cases together; usd limits the total in dollars, including gas
  ${from}: "${cap}"
defaults: # apply to every case that does not override them
  slippage: 1
  expect:
    maxSeconds: 120
cases:
  - name: price a bridge # only a quote, unless the case says "does: execute"
    amount: "${amount}"
    from: ${from}
    to: ${to}
    expect:
      minOut: "${least}"
      maxFeeUsd: "1"
  - name: refuse to price dust
    amount: "0.000001"
    from: ${from}
    to: ${to}
    expect:
      code: service.refused # or "exit: 3"
  - name: bridge
    does: execute
    amount: "${amount}"
    from: ${from}
    to: ${to}
    maxFeeUsd: "2" # an option of ferry execute: a higher fee is never signed
    expect:
      status: success # or refund
      minOut: "${least}"
`;
}
