/** `ferry help networks`: the networks that ship with ferry, and how to configure others. */
import * as SettingDefinitions from '../config/SettingDefinitions.js';
import type { Network } from '../network/Network.js';
import * as NetworkRegistry from '../network/NetworkRegistry.js';
import type { Document } from './HelpDocument.js';

/** Builds the topic from the network tables and the settings of a network. */
export async function document(): Promise<Document> {
  const networks = await NetworkRegistry.all();
  return [
    [
      'Networks',
      'A network is a deployment of the service with the chains it supports. Select one with --network, FERRY_NETWORK or the network setting; the default is the sandbox. All output names its network.',
      { terms: networks.map((network) => [network.name, describe(network)] as const) },
      'A project file may only select a network that moves no real money. ferry chains lists the chains of the network in use, ferry tokens the tokens that have a symbol.',
    ],
    ...networks.map(
      ({ name, chains }) =>
        [`Chains of ${name}`, chains.map((chain) => `${chain.name} (${chain.id})`).join(', ')] as const,
    ),
    [
      'Networks of your own',
      'Any other name with a base URL is also a network, which counts as moving real money by default. Of the shipped chains it has those that you name, or mainnet’s if you name none. These settings, in your own configuration file, also override those of the shipped networks:',
      {
        terms: [
          ...rows('networks.<name>', SettingDefinitions.networkFormats),
          ...rows('networks.<name>.chains.<chain>', SettingDefinitions.chainFormats),
          ...rows('networks.<name>.venue', SettingDefinitions.venueFormats),
        ],
      },
      'A chain that ferry does not ship is added to the others of its network. It needs id, vm, nativeSymbol and nativeDecimals, which have no default, and its contracts must be accepted (ferry contracts accept). Of a shipped chain, only the URLs can be changed.',
      {
        lines: [
          'ferry config set networks.local.baseUrl http://localhost:4000',
          'ferry config set networks.local.realMoney false',
          'ferry chains --network local',
        ],
      },
      'An API key belongs to the origin that it was configured for and is never sent to another. With several (apiKey and apiKeys), each request goes out with the one that has room within its limits; all processes that use a key share its limits. A key that the service refuses while it accepts another is set aside for ten minutes. A referrer must belong to each of them.',
    ],
  ];
}

function describe({ baseUrl, realMoney, chains, venue }: Network): string {
  const where = baseUrl ?? 'on this machine, started on demand';
  const money = realMoney ? 'moves real money' : 'no real money';
  return `${where}; ${chains.length} chains${venue ? ' with the venue' : ''}, ${money}`;
}

function rows(at: string, formats: Readonly<Record<string, { expects: string }>>): (readonly [string, string])[] {
  return Object.entries(formats).map(([key, { expects }]) => [`${at}.${key}`, expects] as const);
}
