import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadCatalog } from '../../../src/cli/loadCatalog.js';
import { topics } from '../../../src/core/docs/HelpTopic.js';
import * as MarkdownReference from '../../../src/core/docs/MarkdownReference.js';
import { catalog } from '../../support/catalog.js';

const manual = fileURLToPath(new URL('../../../.github/docs', import.meta.url));

test('default: what Markdown would obey is text', () => {
  const document = [['Exit codes', { terms: [['a|b', 'done']] }, { lines: ['x'] }, '*']] as const;
  const made = MarkdownReference.pages({ catalog, topics: [['exit-codes', document]] });
  const [, ...rest] = [...made.values()];
  for (const line of [
    ".dots and 'quotes' come first: C:\\\\path, ~/.config, \\`x\\`, a^b, “curly” – and 船.",
    '| `key` | .ferryrc or \\<other\\> |',
    '| `--sponsor <all\\|components>` | -5 or more |',
    '| `a\\|b` | done |',
    '\\*',
  ])
    expect(rest.join('\n').split('\n')).toContain(line);
});

test('behavior: the committed pages are those of the command table', async () => {
  const named = await Promise.all(topics.map(async ({ name, load }) => [name, await load()] as const));
  const made = MarkdownReference.pages({ catalog: await loadCatalog(), topics: named });
  for (const [path, text] of made) await expect(text).toMatchFileSnapshot(join(manual, path));
  const guides = MarkdownReference.guides.map(([name]) => `guide/${name}.md`);
  expect(files().sort()).toEqual([...made.keys(), ...guides].sort());
});

test('behavior: the index names every page by hand by its title', () => {
  const titles = MarkdownReference.guides.map(([name]) => [name, read(`guide/${name}.md`).split('\n')[0]]);
  expect(titles).toEqual(MarkdownReference.guides.map(([name, title]) => [name, `# ${title}`]));
});

test('behavior: every link of the README and of every page leads to a file', () => {
  const documents = [...files(), '../../README.md'];
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)#]+)[^)]*\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !link.startsWith('https:') && !isThere(join(dirname(path), link)))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** Every page that is committed. */
function files(): string[] {
  return readdirSync(manual, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
}

function read(path: string): string {
  return readFileSync(join(manual, path), 'utf8');
}

function isThere(path: string): boolean {
  return existsSync(join(manual, path));
}
