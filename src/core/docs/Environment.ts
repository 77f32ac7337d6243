/** `ferry help environment`: every environment variable that ferry reads. */
import * as SettingDefinitions from '../config/SettingDefinitions.js';
import type { Document } from './HelpDocument.js';
import { docs } from './SettingDocs.js';

/** Variables of terminal and system conventions. */
const foreign: readonly (readonly [variable: string, meaning: string])[] = [
  ['NO_COLOR', 'disables color'],
  ['FORCE_COLOR', 'enables color even if the output is not a terminal; 0 disables it'],
  ['CLICOLOR_FORCE', 'like FORCE_COLOR; NO_COLOR and FORCE_COLOR take precedence'],
  ['TERM', 'dumb disables color, links and animation'],
  ['NO_HYPERLINKS', 'disables links in the terminal'],
  ['FORCE_HYPERLINK', 'enables links even if the terminal is not known to support them'],
  ['PAGER', 'shows help that is longer than the terminal'],
  ['CI', 'disables prompts: every answer must be given as a flag'],
  ['HTTP_PROXY', 'the proxy for http; not used for loopback addresses'],
  ['HTTPS_PROXY', 'the proxy for https'],
  ['NO_PROXY', 'hosts to connect to without a proxy'],
  ['NODE_EXTRA_CA_CERTS', 'a file of certificates to trust in addition to those of Node'],
  ['XDG_CONFIG_HOME', 'base directory of the configuration, in its subdirectory ferry (default: ~/.config)'],
  ['XDG_CACHE_HOME', 'base directory of compiled code, in its subdirectory ferry (default: ~/.cache)'],
  ['XDG_STATE_HOME', 'base directory of journals and the sandbox, in its subdirectory ferry (default: ~/.local/state)'],
  ['XDG_DATA_HOME', 'base directory for ferry completion install (default: ~/.local/share)'],
  ['SHELL', 'the shell for ferry completion install, if none is named'],
];

/** Builds the topic from the table of settings. */
export function document(): Document {
  return [
    [
      'Environment',
      'A flag overrides a variable, which overrides the project file, which overrides your own file. An empty variable counts as unset. ferry config list prints every value with its source. ferry warns about unknown variables that start with FERRY_.',
    ],
    [
      'Settings',
      {
        terms: SettingDefinitions.properties.map((property) => {
          const definition = SettingDefinitions.definitions[property] as SettingDefinitions.Definition;
          return [definition.env, `${docs[property]}${defaultOf(definition)}`] as const;
        }),
      },
      {
        terms: [
          [
            `${SettingDefinitions.rpcUrlPrefix}<CHAIN>`,
            `the RPC URL of a chain of the network in use: ${SettingDefinitions.rpcUrlVariable('base-sepolia')} for base-sepolia`,
          ],
          [
            `${SettingDefinitions.rpcUrlsPrefix}<CHAIN>`,
            'further nodes of the chain, separated by commas: asked if the first does not answer, and as witnesses',
          ],
        ],
      },
    ],
    ['Places', { terms: Object.entries(SettingDefinitions.places) }],
    ['Terminal and system', { terms: foreign }],
    [
      'Set by ferry sandbox exec',
      {
        terms: [
          ['FERRY_SANDBOX_URL', 'the service'],
          ['FERRY_SANDBOX_WS_URL', 'its WebSocket of statuses'],
          ['FERRY_SANDBOX_VENUE_CHAIN_ID', 'the chain id that signatures for the venue are bound to'],
          ['FERRY_SANDBOX_VENUE_URL', 'the venue'],
          ['FERRY_SANDBOX_API_KEY', 'its API key, which is no secret'],
          ['FERRY_SANDBOX_REFERRER', 'the referrer that it knows the key by'],
          ['ALPHA_RPC_URL, BETA_RPC_URL', 'the chains; ETH_RPC_URL is the first'],
          ['ALPHA_CHAIN_ID, BETA_CHAIN_ID, LIGHTER_CHAIN_ID', 'their ids, and the venue’s'],
          ['ALPHA_USDC, BETA_USDC, …', 'the addresses of their tokens: ETH, WETH, USDC, USDT, DAI, GULL, KELP'],
          ['LIGHTER_USDC', 'the venue’s currency'],
          ['SVM_RPC_URL, SVM_CHAIN_ID, SVM_SOL, SVM_USDC', 'the chain svm and its tokens, if litesvm is installed'],
        ],
      },
    ],
  ];
}

/** The default value, in parentheses. */
function defaultOf({ format, initial }: SettingDefinitions.Definition): string {
  const shown = format.show(initial);
  return shown === undefined ? '' : ` (default: ${shown})`;
}
