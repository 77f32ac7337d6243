/**
 * Quote options that the sandbox does not support. They are rejected, rather than ignored.
 *
 * Forms of the live service that the sandbox never makes, asked for or not: steps for other kinds of chain (PSBTs,
 * instructions, `authorize` on Hyperliquid); open deposit addresses; Permit2, and authorizations to the solver; further
 * steps in the answer of `/execute/permits`; fallback routes, external liquidity, fast fills, child requests and
 * `supersededByRequestId`. `test/recorded/neverAnswered.txt` lists the fields.
 */
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import { type Code, RefusalError } from './QuoteRefusal.js';

/** The sandbox's pools as a swap source. */
export const swapSource = 'sandbox-pools';

type Unsupported = readonly [isAsked: (request: QuoteV2.Request) => boolean, code: Code, message: string];

const unsupported: readonly Unsupported[] = [
  [
    (r) => hasAny(r.txs) && (r.originChainId === r.destinationChainId || r.useDepositAddress === true),
    'EXTRA_TXS_NOT_SUPPORTED',
    'Destination calls (txs) need another chain as the destination and no deposit address',
  ],
  [
    (r) => hasAny(r.authorizationList),
    'UNSUPPORTED_EXECUTION_TYPE',
    'Authorizations on the destination chain (authorizationList) are not supported',
  ],
  [
    (r) => r.gasLimitForDepositSpecifiedTxs !== undefined,
    'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
    'The deposit runs no transactions of the client (gasLimitForDepositSpecifiedTxs)',
  ],
  [
    (r) => r.useDepositAddress === true && hasAny(r.sponsoredFeeComponents),
    'UNSUPPORTED_EXECUTION_TYPE',
    'Deposit addresses do not support sponsoredFeeComponents',
  ],
  [(r) => r.recoveryAddress !== undefined, 'UNSUPPORTED_EXECUTION_TYPE', 'A recoveryAddress is not supported'],
  [
    (r) => r.explicitDeposit === false,
    'UNSUPPORTED_EXECUTION_TYPE',
    'Deposits by a bare transfer (explicitDeposit: false) are not supported',
  ],
  [
    (r) => r.topupGas === true && (r.originChainId === r.destinationChainId || hasAny(r.txs)),
    'UNSUPPORTED_EXECUTION_TYPE',
    'Gas top-ups (topupGas) need another chain as the destination and no destination calls',
  ],
  [(r) => r.fixedRate !== undefined, 'UNSUPPORTED_EXECUTION_TYPE', 'Fixed rates (fixedRate) are not supported'],
  [
    (r) => r.indicativeQuote === true,
    'UNSUPPORTED_EXECUTION_TYPE',
    'Quotes for a preview only (indicativeQuote) are not supported',
  ],
];

/**
 * Rejects a request with an unsupported option that would affect the result.
 *
 * @throws RefusalError
 */
export function assertSupported(request: QuoteV2.Request): void {
  for (const [isRequested, code, message] of unsupported)
    if (isRequested(request)) throw new RefusalError(code, message);
}

function hasAny(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}
