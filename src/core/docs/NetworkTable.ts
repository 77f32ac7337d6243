/** `ferry help networks`: the networks that ship with ferry, and how to name one's own. */
import * as SettingDefinitions from '../config/SettingDefinitions.js';
import type { Network } from '../network/Network.js';
import * as NetworkRegistry from '../network/NetworkRegistry.js';
import type { Document } from './HelpDocument.js';

/** Made from the tables of the networks and of the settings that a network has. */
export async function document(): Promise<Document> {
  const networks = await Promise.all(NetworkRegistry.names.map(NetworkRegistry.load));
  return [
    {
      title: 'Networks',
      blocks: [
        {
          text: 'A network is a deployment of the service with the chains that it reaches. --network, FERRY_NETWORK or the setting network chooses one; while nobody chooses, it is the sandbox. Every output names its network.',
        },
        { terms: networks.map((network) => [network.name, describe(network)] as const) },
        {
          text: 'A project file may choose a network on which nothing real can be lost, and no other. ferry chains lists the chains of the network in use, ferry tokens the tokens that go by symbol.',
        },
      ],
    },
    ...networks.map(({ name, chains }) => ({
      title: `Chains of ${name}`,
      blocks: [{ text: chains.map((chain) => `${chain.name} (${chain.id})`).join(', ') }],
    })),
    {
      title: 'Networks of your own',
      blocks: [
        {
          text: 'Any other name with a base URL is a network too. Without chains of its own it has those of mainnet; it counts as real money unless you say that it is not. These settings, in your own configuration file, also change what ships with ferry:',
        },
        {
          terms: [
            ...rows('networks.<name>', SettingDefinitions.networkFormats),
            ...rows('networks.<name>.chains.<chain>', SettingDefinitions.chainFormats),
            ...rows('networks.<name>.venue', SettingDefinitions.venueFormats),
          ],
        },
        {
          lines: [
            'ferry config set networks.local.baseUrl http://localhost:4000',
            'ferry config set networks.local.realMoney false',
            'ferry chains --network local',
          ],
        },
        {
          text: 'An API key belongs to the origin that it was written down for, and is sent to no other.',
        },
      ],
    },
  ];
}

function describe({ baseUrl, realMoney, chains, venue }: Network): string {
  const where = baseUrl ?? 'on this machine, started when it is needed';
  const money = realMoney ? 'moves real money' : 'no real money';
  return `${where}; ${chains.length} chains${venue ? ' with the venue' : ''}, ${money}`;
}

function rows(at: string, formats: Readonly<Record<string, { expects: string }>>): (readonly [string, string])[] {
  return Object.entries(formats).map(([key, { expects }]) => [`${at}.${key}`, expects] as const);
}
