import * as z from 'zod/mini';
import { define } from '../core/command/Command.js';
import * as TerminalText from '../core/text/TerminalText.js';

const init = define({
  description:
    'Makes the tables of ferry in the database that FERRY_STORE names, in a schema of their own, and the roles ferry_work, ferry_submit and ferry_read where the user may make roles. Does nothing if they are there.',
  examples: [
    ['FERRY_STORE=postgres://ferry@db/ferry ferry store init', 'once, by the owner of the database'],
    ['ferry store init --json', 'for a script; a second time it changes nothing'],
  ],
  output: z.object({
    /** The database, without options. */
    store: z.string(),
    /** The version of the tables before; 0 if there were none. */
    before: z.int(),
    version: z.int(),
  }),
  async run(_, context) {
    const store = await context.store();
    const { before, after } = await store.migrate();
    return { store: store.name, before, version: after };
  },
  view: ({ store, before, version }, style) => {
    const name = TerminalText.escape(store);
    if (before === version) return `${style.green('✓')} ${name} has its tables already, of version ${version}.`;
    const what = before === 0 ? 'made' : `brought from version ${before} to ${version}`;
    return `${style.green('✓')} The tables in ${name} are ${what}. Next: ${style.command('ferry store check')}`;
  },
});

const check = define({
  description:
    'Asks the database that FERRY_STORE names whether it keeps what it commits, whether it is the primary, whether a pooler is in between, which tables it has, and whether its user may pay. Also says whether it was restored from a copy or has failed over since, and may have lost its last payments. Exits 2 if payments may not be kept there.',
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
  output: z.object({
    store: z.string(),
    /** Whether payments may be kept there. */
    ok: z.boolean(),
    checks: z.array(
      z.object({
        name: z.string(),
        found: z.string(),
        /** Why it does not do; null if it does. */
        problem: z.nullable(z.string()),
      }),
    ),
  }),
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
        checks.map(({ name, found, problem }) => [
          `  ${problem === null ? style.green('✓') : style.red('✗')} ${name}`,
          TerminalText.escape(found),
          problem === null ? '' : TerminalText.escape(problem),
        ]),
      ),
    ].join('\n'),
  exit: ({ ok }) => (ok ? 0 : 2),
});

const migrate = define({
  ...init,
  description:
    'Adds to the tables of the store what this version of ferry needs. Migrations only add, so machines with the version before go on beside newer ones.',
  examples: [
    ['ferry store migrate', 'before the first machine gets a new version'],
    ['ferry store migrate --json', 'the versions before and after'],
  ],
});

const importRuns = define({
  description:
    'Moves the journals of this machine, the nonces that it knows and the payments that it has counted into the store, byte for byte, and renames the folders: files and a store together could pay twice. Stop every ferry of this machine first.',
  examples: [
    ['ferry store import --yes', 'after ferry store init, on the machine that paid until now'],
    ['ferry store import --yes --json | jq -r .data.runs', 'how many runs were moved'],
  ],
  output: z.object({
    store: z.string(),
    runs: z.int(),
    /** Accounts and API keys whose nonces were moved. */
    counters: z.int(),
    /** Payments that transfers had counted as theirs. */
    counted: z.int(),
    /** Where the files are now. */
    folders: z.array(z.string()),
  }),
  async run(_, context) {
    const store = await context.store();
    await context.confirm(`Move the runs of this machine into ${store.name}?`);
    const { folders, ...moved } = await store.importFiles();
    return { store: store.name, ...moved, folders: [...folders] };
  },
  view: ({ store, runs, counters, counted, folders }, style) =>
    folders.length === 0
      ? 'This machine has no runs in files.'
      : [
          `${style.green('✓')} Moved ${style.number(String(runs))} runs, the nonces of ${counters} accounts and ${counted} counted payments into ${TerminalText.escape(store)}.`,
          ...folders.map((folder) => `  ${style.dim('kept as')} ${TerminalText.escape(folder)}`),
        ].join('\n'),
});

const exportRun = define({
  description:
    'Prints the journal of a run in the store, byte for byte as its file would be. It holds signed bytes and no keys.',
  args: [{ name: 'run', description: 'the run, or its last characters' }],
  examples: [
    ['ferry store export 1f2e3d > run.jsonl', 'a copy for the records'],
    ['ferry store export 1f2e3d | jq -r .entry.type', 'what it did, step by step'],
  ],
  output: z.object({
    run: z.string(),
    /** The lines of the journal. */
    text: z.string(),
  }),
  async run({ args }, context) {
    return (await context.store()).exportRun(args[0] ?? '');
  },
  // Its own line breaks, and no other.
  verbatim: true,
  view: ({ text }) => text.replace(/\n$/, ''),
});

export const commands = { init, check, migrate, import: importRuns, export: exportRun };
