import * as z from 'zod/mini';
import * as KeyListing from '../../core/accounts/KeyListing.js';
import { define } from '../../core/command/Command.js';

export const command = define({
  description:
    'Lists the accounts that can sign: encrypted keys, API keys of venue accounts and, on the sandbox, the development accounts. Nothing is unlocked.',
  examples: [['ferry key list', 'names and addresses']],
  output: z.object({
    folder: z.string(),
    keys: z.array(KeyListing.schema),
    /** Paths of key files in the folder whose names ferry does not take; `ferry key import <name> --keystore` does. */
    unnamed: z.array(z.string()),
    /** `dev0` to `dev9` on the sandbox; empty on other networks. */
    development: z.array(z.object({ name: z.string(), address: z.string() })),
  }),
  async run(_options, { keystore, venueKeys, network }) {
    const apiKeys = await (await venueKeys()).list();
    return {
      folder: keystore.folder,
      keys: [...(await keystore.list()).map(KeyListing.from), ...apiKeys.map(KeyListing.fromVenue)],
      unnamed: [...(await keystore.unnamed())],
      development: network.name === 'sandbox' ? KeyListing.development() : [],
    };
  },
  view: KeyListing.formatList,
});
