import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as SettingFormat from '../../core/config/SettingFormat.js';
import * as TerminalText from '../../core/text/TerminalText.js';

const count = SettingFormat.whole('a whole number from 1 to 10000', /^0*[1-9]\d{0,4}$/, 10_000);

export const command = define({
  description:
    'Prints the last lines of the log of the sandbox that runs, or ran last, in the background: what went wrong in it. A healthy one writes little.',
  options: {
    lines: { short: 'n', value: 'count', description: 'how many lines (default: 50)' },
  },
  examples: [
    ['ferry sandbox logs', 'the last 50 lines'],
    ['ferry sandbox logs -n 5 --json | jq -r .data.path', 'where the log is, to follow it'],
  ],
  output: z.object({ path: z.string(), lines: z.array(z.string()) }),
  async run({ lines = '50' }, { sandbox }) {
    return { path: sandbox.logPath, lines: [...sandbox.log(SettingFormat.option(count, lines, '--lines'))] };
  },
  verbatim: true,
  view: ({ lines }) => lines.map(TerminalText.escape).join('\n'),
  note: ({ path, lines }) => (lines.length > 0 ? undefined : `The log is empty: ${TerminalText.escape(path)}`),
});
