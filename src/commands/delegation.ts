import * as z from 'zod/mini';
import * as Address from '../core/base/Address.js';
import * as Amount from '../core/base/Amount.js';
import { define } from '../core/command/Command.js';
import * as GasBound from '../core/execution/GasBound.js';
import * as Delegation from '../core/gasless/Delegation.js';
import * as SignedBatch from '../core/gasless/SignedBatch.js';
import * as Network from '../core/network/Network.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import * as Place from '../core/text/Place.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { boundedPrice, confirmGas, gasTerms, unquotedGasFlags } from '../setup/limitGas.js';
import { assertFree, counterOf } from '../setup/trustNonces.js';
import { keyFlags, signerFlag, watchedFlag } from '../transfer/transferOptions.js';

const show = define({
  description:
    'Shows an account’s EIP-7702 delegation on each chain. The only delegate that ferry uses is the batch executor that it ships with or that you accepted; check any other.',
  args: [{ name: 'chain', description: 'a chain’s name or id (default: all)', optional: true }],
  options: watchedFlag,
  examples: [
    ['ferry delegation show', 'on every chain'],
    ['ferry delegation show alpha --account dev9', 'on one chain'],
  ],
  output: z.object({
    account: z.string(),
    delegations: z.array(
      z.object({
        chain: z.string(),
        chainId: z.int(),
        /** The delegate's address; null for an account without code. */
        delegate: z.nullable(z.string()),
        verdict: z.enum(['none', 'allowed', 'unknown', 'contract']),
      }),
    ),
  }),
  async run({ args }, context) {
    const account = await context.watched();
    const chains = args[0] === undefined ? context.network.chains : [Network.chain(context.network, args[0])];
    const evm = chains.filter(({ vm }) => vm === 'evm');
    const delegations = await Promise.all(
      evm.map(async (chain) => {
        const node = await context.chain(chain);
        const found = SignedBatch.delegateOf(await node.code(account));
        const allowed = chain.contracts.batchExecutor;
        const verdict =
          found === undefined
            ? ('none' as const)
            : found === 'contract'
              ? ('contract' as const)
              : allowed && Address.isEqual(found, allowed)
                ? ('allowed' as const)
                : ('unknown' as const);
        return {
          chain: chain.name,
          chainId: chain.id,
          delegate: found === undefined || found === 'contract' ? null : found,
          verdict,
        };
      }),
    );
    return { account, delegations };
  },
  placed: true,
  view({ account, delegations }, style) {
    const words = {
      none: style.dim('none: a plain account'),
      allowed: style.green('the batch executor that ferry uses'),
      unknown: style.red('not a contract that ferry delegates to'),
      contract: style.yellow('the account is a contract itself'),
    };
    return [
      style.dim(account),
      TerminalText.columns(
        delegations.map(({ chain, delegate, verdict }) => [style.bold(chain), delegate ?? '-', words[verdict]]),
      ),
    ].join('\n');
  },
});

/**
 * No journal is kept: the chain is read first. Repeating the command after a crash finds the delegation gone, or
 * revokes it again at the cost of the gas alone. An authorization that was used cannot be replayed.
 */
const revoke = define({
  description:
    'Revokes an account’s EIP-7702 delegation, which makes it a plain account again. The account pays the gas if it can; otherwise the service’s relayer submits the revocation, sponsored.',
  args: [{ name: 'chain', description: 'the chain’s name or id' }],
  options: {
    ...signerFlag,
    ...keyFlags,
    ...unquotedGasFlags,
    timeout: { value: 'time', description: 'how long to wait for the receipt (default: 5m)' },
  },
  examples: [['ferry delegation revoke alpha --account dev9', 'leaves the account without code']],
  output: z.object({
    account: z.string(),
    chain: z.string(),
    chainId: z.int(),
    /** The delegate before; null if there was none, and nothing was sent. */
    revoked: z.nullable(z.string()),
    /** Who paid the gas. */
    paidBy: z.nullable(z.enum(['account', 'sponsor'])),
    txHash: z.nullable(z.string()),
    /** Most that the gas could cost the account, and what it did; null if it paid none, or the node did not say. */
    maxGas: z.nullable(QuoteDocument.gasCost),
    gas: z.nullable(QuoteDocument.gasCost),
  }),
  pays: true,
  async *run(options, context) {
    const chain = Network.chain(context.network, options.args[0] ?? '');
    const node = await context.chain(chain);
    const account = await context.account();
    const { clock, signal } = context;
    const found = await Delegation.find(account.address, chain, node);
    const where = { account: account.address, chain: chain.name, chainId: chain.id };
    if (found === undefined) return { ...where, revoked: null, paidBy: null, txHash: null, maxGas: null, gas: null };
    const terms = await gasTerms(chain, options, context);
    const [fees, balance] = await Promise.all([
      boundedPrice(node, terms, context),
      node.balance(account.address, Address.native),
    ]);
    const bill = GasBound.bill(Delegation.revokeGas, fees, terms);
    const question = `Revoke the delegation of ${account.address} to ${found} on ${chain.name}?`;
    const canPay = balance >= bill.amount;
    const gas = canPay ? await confirmGas(question, account.address, bill, terms, context) : terms;
    if (!canPay) await context.confirm(`On ${Place.inWords(context.network)}, the service pays. ${question}`);
    const counter = await counterOf(chain, context);
    const turn = yield* context.nonces.take(counter);
    const { referrer } = context.network;
    const ports = { chain, node, account, gas, turn, clock, signal, referrer, service: () => context.service() };
    const revoking = assertFree({ turn }, counter, context).then(() =>
      Delegation.revoke(ports, context.config.timeoutMs.value),
    );
    const { paidBy, txHash, gasCost } = await revoking.finally(() => turn.release());
    return {
      ...where,
      revoked: found,
      paidBy,
      txHash,
      maxGas: paidBy === 'account' ? GasBound.toDocument(bill, terms) : null,
      gas: gasCost === undefined ? null : GasBound.toDocument(GasBound.cost(gasCost, terms), terms),
    };
  },
  placed: true,
  view({ account, chain, revoked, paidBy, gas }, style) {
    if (revoked === null) return `${account} is not delegated on ${chain}.`;
    return `${style.green('✓')} ${account} is a plain account again on ${chain}. The ${paidBy} paid the gas${gas ? `: ${Amount.shorten(gas.formatted)} ${gas.symbol}` : ''}.`;
  },
});

export const commands = { show, revoke };
