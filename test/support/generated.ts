/** Everything the build generates from the command table: completions, the man page and the manual's pages. */
import { table } from '../../src/cli/commandTable.js';
import { loadCatalog } from '../../src/cli/loadCatalog.js';
import * as CommandTree from '../../src/core/completion/CommandTree.js';
import { topics } from '../../src/core/docs/HelpTopic.js';
import * as ManPage from '../../src/core/docs/ManPage.js';
import * as MarkdownReference from '../../src/core/docs/MarkdownReference.js';
import * as NetworkRegistry from '../../src/core/network/NetworkRegistry.js';

export type Generated = {
  tree: CommandTree.Tree;
  /** The shipped networks by name, as JSON with what completion reads of them. */
  networks: ReadonlyMap<string, string>;
  commands: readonly string[];
  manual: string;
  pages: ReadonlyMap<string, string>;
};

export async function generate(version: string): Promise<Generated> {
  const catalog = await loadCatalog();
  const named = await Promise.all(topics.map(async ({ name, load }) => [name, await load()] as const));
  const networks = await Promise.all(NetworkRegistry.names.map(NetworkRegistry.load));
  return {
    tree: CommandTree.from(catalog, topics),
    networks: new Map(networks.map((network) => [network.name, JSON.stringify(network, completed)])),
    commands: table.map(({ name }) => name),
    manual: ManPage.format({ catalog, topics: named.map(([, document]) => document), version }),
    pages: MarkdownReference.pages({ catalog, topics: named }),
  };
}

/** What completion reads of a network. Of its contracts it reads none. */
const completed = [
  ...['name', 'baseUrl', 'realMoney', 'chains'],
  ...['id', 'displayName', 'slug', 'vm', 'native', 'contracts', 'tokens'],
  ...['symbol', 'decimals'],
];
