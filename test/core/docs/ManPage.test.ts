import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../../src/cli/loadCatalog.js';
import { topics } from '../../../src/core/docs/HelpTopic.js';
import * as ManPage from '../../../src/core/docs/ManPage.js';
import { catalog } from '../../support/catalog.js';
import { describeWith } from '../../support/terminal.js';

const document = [
  { title: 'Exit codes', blocks: [{ terms: [['0', 'done']] as const }, { lines: ['.x', "'y"] }] },
  { title: 'More "of" it', blocks: [{ text: '.text' }] },
];

/** The whole page of ferry. */
const whole = async () =>
  ManPage.format({
    catalog: await loadCatalog(),
    topics: await Promise.all(topics.map((topic) => topic.load())),
    version: '1.2.3',
  });

describe('format', () => {
  test('default', () => {
    expect(ManPage.format({ catalog, topics: [document], version: '1.2.3' })).toMatchInlineSnapshot(`
      ".\\" Written by the build from the command table.
      .TH FERRY 1 "" "ferry 1.2.3" ""
      .SH NAME
      ferry \\- quote, prove, sign and follow cross\\-chain swaps, bridges and venue transfers
      .SH SYNOPSIS
      .B ferry
      .RI [ options ]
      .I command
      .RI [ arguments ]
      .PP
      .B ferry help
      .RI [ command | topic ]
      .SH DESCRIPTION
      .PP
      \\&A currency is written chain/token: base/usdc, 8453/0x8335\\[u2026]. An amount is a decimal in units of the input token (of the output token under \\-\\-exact\\-output and \\-\\-expected\\-output), or max.
      .PP
      \\&With nothing configured every command works on the sandbox: the whole service on this machine, on two EVM chains and a venue, with no funds and no network needed.
      .PP
      \\&stdout is the result and nothing else; progress, warnings, questions and errors go to stderr.
      .SH GLOBAL OPTIONS
      .PP
      \\&Before or after the command:
      .TP
      \\fB\\-\\-json\\fR
      \\&print JSON
      .SH SETTINGS
      .SS "ferry config set <key> [words...]"
      .PP
      \\&.dots and \\(aqquotes\\(aq come first: C:\\(rspath, \\(ti/.config, \\(gax\\(ga, a\\(hab, \\[u201C]curly\\[u201D] \\[u2013] and \\[u8239].
      .TP
      .I key
      \\&.ferryrc or <other>
      .TP
      .I words
      \\&\\(aqquoted\\(aq: a, b
      .TP
      \\fB\\-\\-sponsor\\fR \\fIall|components\\fR
      \\&\\-5 or more
      .TP
      \\fB\\-y\\fR, \\fB\\-\\-yes\\fR
      \\&says *yes*
      .PP
      \\&For a script:
      .PP
      .RS 4
      .nf
      \\&.hidden \\-\\-x \\(aqa "b"\\(aq | jq \\-r .data
      .fi
      .RE
      .SH OTHER
      .SS "ferry chains"
      .PP
      \\&All.
      .PP
      \\&All:
      .PP
      .RS 4
      .nf
      \\&ferry chains
      .fi
      .RE
      .SH EXIT CODES
      .TP
      \\fB0\\fR
      \\&done
      .PP
      .RS 4
      .nf
      \\&.x
      \\&\\(aqy
      .fi
      .RE
      .SS "More \\(dqof\\(dq it"
      .PP
      \\&.text
      .SH FILES
      .TP
      \\fB\\(ti/.config/ferry/config.json\\fR
      \\&your settings; YAML as config.yaml is read as well
      .TP
      \\fB\\(ti/.config/ferry/pins.json\\fR
      \\&the contracts and tokens that you accepted
      .TP
      \\fB\\(ti/.config/ferry/keys\\fR
      \\&encrypted keys
      .TP
      \\fB.ferryrc.json\\fR
      \\&settings of a project: a test network, output preferences, lower caps
      .TP
      \\fB\\(ti/.local/state/ferry\\fR
      \\&the journals of runs, and the sandbox
      .SH SEE ALSO
      The same as a page of Markdown is
      .I dist/reference.md
      of the package.
      "
    `);
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

  test('behavior: a line begins with a request that is meant, or with text', async () => {
    const requests = new Set((await whole()).split('\n').flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? []));
    expect([...requests].sort()).toEqual(
      ['\\"', 'B', 'I', 'PP', 'RE', 'RI', 'RS', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf'].sort(),
    );
  });

  describeWith(['groff'], 'the manual page in groff', () => {
    test('behavior: groff has nothing to warn of, and shows every character as it is', async () => {
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
