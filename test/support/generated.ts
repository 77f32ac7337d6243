/** Everything the build generates from the command table: completions, the man page and the reference. */
import { table } from '../../src/cli/commandTable.js';
import { loadCatalog } from '../../src/cli/loadCatalog.js';
import * as CommandTree from '../../src/core/completion/CommandTree.js';
import { topics } from '../../src/core/docs/HelpTopic.js';
import * as ManPage from '../../src/core/docs/ManPage.js';
import * as MarkdownReference from '../../src/core/docs/MarkdownReference.js';

export type Generated = { tree: CommandTree.Tree; commands: readonly string[]; manual: string; reference: string };

export async function generate(version: string): Promise<Generated> {
  const catalog = await loadCatalog();
  const parts = { catalog, topics: await Promise.all(topics.map((topic) => topic.load())), version };
  return {
    tree: CommandTree.from(catalog, topics),
    commands: table.map(({ name }) => name),
    manual: ManPage.format(parts),
    reference: MarkdownReference.format(parts),
  };
}
