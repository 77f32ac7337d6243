/** One-line descriptions of the settings, for help and completion. */
import type { Property } from '../config/SettingDefinitions.js';

export const docs: Readonly<Record<Property, string>> = {
  network: 'the network that commands use',
  account:
    'the account that signs: the name of a key, an address (watch-only without its key), or dev0 to dev9 on the sandbox',
  keyFile: 'a file that contains the private key',
  passwordFile: 'a file that contains the password of the encrypted key',
  privateKey: 'the private key, for CI; a file is safer',
  slippageBps: 'the slippage tolerance in percent; auto lets the service decide',
  maxImpactBps: 'the maximum total loss in percent of the input value',
  maxFeeUsd: 'the maximum total fees in dollars, or none',
  maxVenueFee: 'the maximum fee of the venue for a transfer, in dollars',
  maxGasUsd: 'the maximum that gas may cost in dollars, for the transactions of a run or of a command together',
  maxTipWei: 'the maximum tip per unit of gas in gwei, or auto for 3, twice the base fee, or what the chain needs',
  maxAgeMs: 'the maximum age of a quote at execution',
  witnesses:
    'with two, nothing is let pass that only one witness shows, also where you could be asked; one asks or refuses',
  allow: 'the facts accepted on one witness on the network in use: price, swap, solver-signature, effect, gas',
  timeoutMs: 'how long to follow a transfer',
  color: 'auto, always or never',
  quiet: 'suppress progress and warnings on stderr: true or false',
  baseUrl: 'the service URL of the network in use',
  apiKey: 'the API key of that service; never sent to another origin',
  referrer: 'the referrer registered with the service',
  rateLimit: 'the maximum number of requests per minute to the service; 0 for no limit, auto for the published limits',
  venueUrl: 'the venue URL of the network in use',
  venueKey: 'the name of the venue API key that signs',
  venueKeyFile: 'a file that contains the venue API key',
  venuePrivateKey: 'the venue API key, for CI; a file is safer',
};
