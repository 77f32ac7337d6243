import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../../src/cli/loadCatalog.js';
import { topics } from '../../../src/core/docs/HelpTopic.js';
import * as ManPage from '../../../src/core/docs/ManPage.js';
import { catalog } from '../../support/catalog.js';
import { describeWith } from '../../support/terminal.js';

const document = [
  ['Exit codes', { terms: [['0', 'done']] }, { lines: ['.x', "'y"] }],
  ['More "of" it', '.text'],
] as const;

/** ferry's full man page. */
const whole = async () =>
  ManPage.format({
    catalog: await loadCatalog(),
    topics: await Promise.all(topics.map((topic) => topic.load())),
    version: '1.2.3',
  });

describe('format', () => {
  test('default: what groff would obey is text', () => {
    const page = ManPage.format({ catalog, topics: [document], version: '1.2.3' });
    for (const line of [
      '.TH FERRY 1 "" "ferry 1.2.3" ""',
      '.SS "ferry config set <key> [words...]"',
      '\\&.dots and \\(aqquotes\\(aq come first: C:\\(rspath, \\(ti/.config, \\(gax\\(ga, a\\(hab, \\[u201C]curly\\[u201D] \\[u2013] and \\[u8239].',
      '\\fB\\-\\-sponsor\\fR \\fIall|components\\fR',
      `\\&.hidden \\-\\-x \\(aqa "b"\\(aq | jq \\-r .data`,
      '\\&\\(aqy',
      '.SS "More \\(dqof\\(dq it"',
    ])
      expect(page.split('\n')).toContain(line);
  });

  test('behavior: every command, every option, and plain ASCII', async () => {
    const page = await whole();
    const { commands } = await loadCatalog();
    expect(page).toMatch(/^\p{ASCII}+$/u);
    for (const { name, flags } of commands) {
      expect(page).toContain(`.SS "ferry ${name.replaceAll('-', '\\-')}`);
      for (const { long } of flags) expect(page).toContain(long.replaceAll('-', '\\-'));
    }
  });

  test('behavior: a line starts with an intended request or with text', async () => {
    const requests = new Set((await whole()).split('\n').flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? []));
    expect([...requests].sort()).toEqual(
      ['\\"', 'B', 'I', 'PP', 'RE', 'RI', 'RS', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf'].sort(),
    );
  });

  describeWith(['groff'], 'the manual page in groff', () => {
    test('behavior: groff prints no warnings and renders every character unchanged', async () => {
      const render = (page: string) =>
        execFileSync('groff', ['-ww', '-man', '-Tutf8', '-rLL=200n', '-P-cbou'], {
          input: page,
          encoding: 'utf8',
          stdio: ['pipe', 'pipe', 'inherit'],
        });
      const warned = execFileSync('sh', ['-c', 'groff -ww -man -Tutf8 -z 2>&1'], {
        input: await whole(),
        encoding: 'utf8',
      });
      expect(warned).toBe('');
      const text = render(ManPage.format({ catalog, topics: [document], version: '1.2.3' }));
      for (const words of [
        `.dots and 'quotes' come first: C:\\path, ~/.config, \`x\`, a^b, “curly” – and 船.`,
        `.hidden --x 'a "b"' | jq -r .data`,
        '-y, --yes',
        '--sponsor all|components',
        'More "of" it',
      ])
        expect(text).toContain(words);
    });
  });
});
