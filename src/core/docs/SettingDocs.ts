/** What each setting is, in words. */
import type { Property } from '../config/SettingDefinitions.js';

export const docs: Readonly<Record<Property, string>> = {
  network: 'the network of every command',
  account: 'who signs: a key’s name, or dev0 to dev9 on the sandbox',
  keyFile: 'a file that holds the private key',
  passwordFile: 'a file that holds the password of the encrypted key',
  privateKey: 'the private key itself, for CI; a file is safer',
  slippageBps: 'how much less may arrive, in percent; auto leaves it to the service',
  maxImpactBps: 'how much may be lost in all, in percent of the input',
  maxFeeUsd: 'what the fees may come to in dollars, or none',
  maxVenueFee: 'what the venue may take for a transfer, in dollars',
  maxAgeMs: 'how old a quote may be when it is executed',
  timeoutMs: 'how long a transfer is followed',
  color: 'auto, always or never',
  quiet: 'no progress and no warnings on stderr: true or false',
  baseUrl: 'the service of the network in use',
  apiKey: 'the API key of the service beside it; it is sent to no other',
  referrer: 'the referrer that the service knows you by',
  rateLimit:
    'how many requests a minute the service is asked at most; 0 for no limit, auto for those it is known to have',
  venueUrl: 'where the venue of the network in use answers',
  venueKey: 'which API key of the venue signs, by the name that it is kept under',
  venueKeyFile: 'a file that holds the venue’s API key',
  venuePrivateKey: 'the venue’s API key itself, for CI; a file is safer',
};
