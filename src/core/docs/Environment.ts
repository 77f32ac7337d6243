/** `ferry help environment`: every variable that ferry reads. */
import * as SettingDefinitions from '../config/SettingDefinitions.js';
import type { Document } from './HelpDocument.js';
import { docs } from './SettingDocs.js';

/** Read by the terminal's conventions, or by those of the system. */
const foreign: readonly (readonly [variable: string, meaning: string])[] = [
  ['NO_COLOR', 'no colour'],
  ['FORCE_COLOR', 'colour even where the output is no terminal; 0 for none'],
  ['CLICOLOR_FORCE', 'the same, after those two'],
  ['TERM', 'dumb: no colour, no links, nothing that moves'],
  ['NO_HYPERLINKS', 'no links in the terminal'],
  ['FORCE_HYPERLINK', 'links although the terminal is not known to show them'],
  ['CI', 'ferry asks nothing: what would be asked has to be a flag'],
  ['HTTP_PROXY', 'the proxy for http; not for addresses of this machine'],
  ['HTTPS_PROXY', 'the proxy for https'],
  ['NO_PROXY', 'hosts that are reached without it'],
  ['NODE_EXTRA_CA_CERTS', 'a file of certificates to trust besides those of Node'],
  ['XDG_CONFIG_HOME', 'where configuration goes, below it in ferry (default: ~/.config)'],
  ['XDG_STATE_HOME', 'where journals and the sandbox go, below it in ferry (default: ~/.local/state)'],
  ['XDG_DATA_HOME', 'where ferry completion install puts its file (default: ~/.local/share)'],
  ['SHELL', 'the shell that ferry completion install is for'],
];

/** Made from the table of settings. */
export function document(): Document {
  return [
    {
      title: 'Environment',
      blocks: [
        {
          text: 'A flag beats a variable, which beats the project file, which beats your own file. An empty variable counts as unset. ferry config list shows what holds and where it comes from; a variable that begins with FERRY_ and that ferry does not know is warned of.',
        },
      ],
    },
    {
      title: 'Settings',
      blocks: [
        {
          terms: SettingDefinitions.properties.map((property) => {
            const definition = SettingDefinitions.definitions[property] as SettingDefinitions.Definition;
            return [definition.env, `${docs[property]}${unless(definition)}`] as const;
          }),
        },
        {
          terms: [
            [
              `${SettingDefinitions.rpcUrlPrefix}<CHAIN>`,
              `the RPC URL of a chain of the network in use: ${SettingDefinitions.rpcUrlVariable('base-sepolia')} for base-sepolia`,
            ],
          ],
        },
      ],
    },
    { title: 'Places', blocks: [{ terms: Object.entries(SettingDefinitions.places) }] },
    { title: 'Of the terminal and the system', blocks: [{ terms: foreign }] },
    {
      title: 'Set by ferry sandbox exec',
      blocks: [
        {
          terms: [
            ['FERRY_SANDBOX_URL', 'the service'],
            ['FERRY_SANDBOX_VENUE_URL', 'the venue'],
            ['ALPHA_RPC_URL, BETA_RPC_URL', 'the chains; ETH_RPC_URL is the first'],
          ],
        },
      ],
    },
  ];
}

/** What holds while nobody says anything. */
function unless({ format, initial }: SettingDefinitions.Definition): string {
  const shown = format.show(initial);
  return shown === undefined ? '' : ` (default: ${shown})`;
}
