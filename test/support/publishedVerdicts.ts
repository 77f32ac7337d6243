/**
 * What ferry says of every published and captured answer (FERRY_PUBLISHED), judged at the time when it was made. The
 * folder has a README that says what each file is and what its author cut.
 */

/** The verdict on a quote. */
export type QuoteRow = {
  /** Unix seconds: when it was answered; undefined if nothing in the file says so. */
  at?: number;
  /** `cut`: the file lacks what every answer has. */
  verdict: 'verified' | 'cannot verify' | 'mismatch' | 'cut';
  /** The checks that fail or cannot be verified; for `cut`, the fields that are missing. */
  why: readonly string[];
};

const week = 604_800;
const [unsigned, unpriced] = ['solver-signature', 'price'];
/** Their authors cut the decimals. */
const undecimal = ['input-currency', 'output-currency'];

/** By file name. */
export const quotes: Readonly<Record<string, QuoteRow>> = {
  'live/quote-swap-bridge-router-1.json': { at: 1_791_034_632, verdict: 'verified', why: [] },
  'live/quote-bridge-erc20-3.json': { at: 1_789_541_968, verdict: 'cannot verify', why: [unsigned, unpriced] },
  // It states no dollars, but pays ether for ether.
  'live/quote-bridge-native-2.json': { at: 1_789_536_717, verdict: 'cannot verify', why: [unsigned] },
  'live/quote-deposit-address-docs-1.json': {
    at: 1_791_082_506 - week,
    verdict: 'cannot verify',
    why: [unsigned, 'deposit-address'],
  },
  'live/quote-deposit-address-docs-2.json': {
    at: 1_791_082_605 - week,
    verdict: 'cannot verify',
    why: [unsigned],
  },
  'quote-deposit-address.json': {
    at: 1_791_082_506 - week,
    verdict: 'cannot verify',
    why: [unsigned, 'deposit-address'],
  },
  'quote-sponsored.json': { at: 1_777_339_792 - week, verdict: 'cannot verify', why: [unsigned] },
  'quote-venue-deposit.json': { at: 1_777_644_048 - week, verdict: 'cannot verify', why: [unsigned] },
  'quote-venue-withdrawal.json': { at: 1_777_647_416 - week, verdict: 'cannot verify', why: [unsigned] },
  // Its order does not hash to its id: the software that made it was an old one.
  'live/quote-calls-1.json': {
    at: 1_770_778_474 - week,
    verdict: 'mismatch',
    why: ['order-id', unsigned, 'order-calls'],
  },
  // Of chains that are not EVM chains, and without an order; their authors cut the calldata of the second.
  'live/quote-bitcoin-1.json': { verdict: 'cannot verify', why: ['order-id', 'step', unpriced] },
  'live/quote-solana-1.json': { verdict: 'cannot verify', why: ['order-id', 'step', 'step'] },
  'live/quote-bridge-erc20-1.json': {
    at: 1_790_739_532,
    verdict: 'cut',
    why: ['details.sender', 'details.recipient', 'details.currencyOut'],
  },
  'live/quote-bridge-erc20-2.json': {
    at: 1_790_739_532,
    verdict: 'cut',
    why: ['details.sender', 'details.recipient', 'details.currencyOut'],
  },
  'live/quote-bridge-native-1.json': {
    at: 1_790_739_532,
    verdict: 'cut',
    why: ['details.sender', 'details.recipient', 'details.currencyOut'],
  },
  'live/quote-deposit-address-native-1.json': {
    at: 1_790_739_533,
    verdict: 'cut',
    why: ['details.sender', 'details.recipient', 'details.currencyOut'],
  },
  'live/quote-calls-2.json': {
    at: 1_790_603_397,
    verdict: 'cut',
    why: ['steps', 'details.sender', 'details.recipient', 'details.currencyIn'],
  },
  'live/quote-hyperliquid-origin-2.json': { at: 1_790_851_554, verdict: 'cut', why: ['details.sender'] },
  'live/quote-permit-eip3009-1.json': { at: 1_790_806_396, verdict: 'cut', why: ['details.sender'] },
  'live/quote-permit-eip3009-2.json': { verdict: 'cut', why: ['details'] },
  'live/quote-solana-origin-1.json': { at: 1_790_830_053, verdict: 'cut', why: ['details.sender'] },
  'live/quote-old-bridge-1.json': { verdict: 'cut', why: ['details.sender', 'details.recipient'] },
  'live/quote-same-chain-swap-1.json': { verdict: 'cut', why: ['details.currencyOut.minimumAmount'] },
};

/**
 * Quotes from chains that ferry does not pay from, whose authors cut the sender alone: with the one that their own steps
 * name, everything else is read, and the steps say why the quote cannot be proved.
 */
export const completed: Readonly<Record<string, { sender: string; why: readonly string[]; steps: readonly string[] }>> =
  {
    'live/quote-solana-origin-1.json': {
      sender: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
      why: [...undecimal, 'order-id', 'step', unpriced],
      steps: ['a step that is for solana'],
    },
    'live/quote-hyperliquid-origin-2.json': {
      sender: '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97',
      why: [...undecimal, 'order-id', 'step', 'step', unpriced],
      steps: ['a step that is for another kind of chain', 'a step that is for hyperliquid'],
    },
  };

/** The quotes with a solver's signature. */
export const signed = [
  'live/quote-swap-bridge-router-1.json',
  'live/quote-bridge-native-1.json',
  'live/quote-bridge-erc20-1.json',
  'live/quote-bridge-erc20-2.json',
  'live/quote-deposit-address-native-1.json',
] as const;

/** Answers that only their schema judges: the status, the chains, errors. */
export const decoded = {
  status: ['live/status-v3-1.json', 'live/status-v3-2.json'],
  chains: ['live/chains-2.json'],
  error: ['live/error-quote-1.json', 'live/error-quote-2.json', 'live/error-requests-v2-429.json'],
} as const;
