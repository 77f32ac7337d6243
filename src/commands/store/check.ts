import * as z from 'zod/mini';
import { define } from '../../core/command/Command.js';
import * as TerminalText from '../../core/text/TerminalText.js';

const check = z.object({
  name: z.string(),
  found: z.string(),
  /** Why it does not do; null if it does. */
  problem: z.nullable(z.string()),
});

export const output = z.object({
  store: z.string(),
  /** Whether payments may be kept there. */
  ok: z.boolean(),
  checks: z.array(check),
});

export const command = define({
  description:
    'Asks the database that FERRY_STORE names whether it keeps what it commits, whether it is the primary, whether a pooler is in between, and which tables it has. Also says whether it was restored from a copy or has failed over since, and may have lost its last payments. Exits 2 if payments may not be kept there.',
  options: {
    adopt: { description: 'accept the database that is there now as the store, although another one was' },
    trust: {
      description: 'say that nothing is lost: a synchronous standby has taken over, or the store was moved as it was',
    },
  },
  examples: [
    ['ferry store check', 'every property, and what is wrong'],
    ['ferry store check --adopt', 'after a new database was made at the address of the old one'],
    ['ferry store check --trust', 'after a synchronous standby has taken over'],
    ['ferry store check --json | jq -r ".data.checks[] | select(.problem) | .problem"', 'the problems alone'],
  ],
  output,
  exit: ({ ok }) => (ok ? 0 : 2),
  async run({ adopt = false, trust = false }, context) {
    const store = await context.store();
    if (adopt) {
      await context.confirm(`Is ${TerminalText.escape(store.name)} the store of this machine from now on?`);
      await store.adopt();
    }
    if (trust) {
      await context.confirm(
        'Has the store everything that was signed through it? If it has lost a payment, ferry may make it again.',
      );
      await store.trust();
    }
    const { version, needed, checks } = await store.check();
    const isReady = version !== undefined && version >= needed;
    const missing =
      version === undefined ? 'there are none: ferry store init' : `version ${needed} is needed: ferry store migrate`;
    const tables = {
      name: 'tables',
      found: version === undefined ? 'none' : `version ${version}`,
      problem: isReady ? null : missing,
    };
    const all = [...checks.map((each) => ({ ...each, problem: each.problem ?? null })), tables];
    return { store: store.name, ok: all.every(({ problem }) => problem === null), checks: all };
  },
  view: ({ store, ok, checks }, style) =>
    [
      ok
        ? `${style.green('✓')} ${TerminalText.escape(store)} can keep payments.`
        : `${style.red('✗')} ${TerminalText.escape(store)} cannot be trusted with payments.`,
      '',
      TerminalText.columns(
        checks.map(({ name, found, problem }: z.output<typeof check>) => [
          `  ${problem === null ? style.green('✓') : style.red('✗')} ${name}`,
          TerminalText.escape(found),
          problem === null ? '' : TerminalText.escape(problem),
        ]),
      ),
    ].join('\n'),
});
