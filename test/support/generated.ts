/** What the build makes from the command table: words for the shells, the manual page and the reference. */
import { loadCatalogue } from '../../src/commands/catalogue.js';
import * as Tree from '../../src/core/completion/Tree.js';
import { topics } from '../../src/core/help/Topic.js';
import * as Manual from '../../src/core/render/Manual.js';
import * as Reference from '../../src/core/render/Reference.js';

export type Generated = { tree: Tree.Tree; manual: string; reference: string };

export async function generate(version: string): Promise<Generated> {
  const catalogue = await loadCatalogue();
  const parts = { catalogue, topics: await Promise.all(topics.map((topic) => topic.load())), version };
  return { tree: Tree.from(catalogue, topics), manual: Manual.format(parts), reference: Reference.format(parts) };
}
