/** What an attack came to: what caught it, and what the account holds afterwards. */
import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import type { Funds } from '../base/Errors.js';
import * as Currency from '../quote/Currency.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import type * as Attack from './Attack.js';

export const schema = z.object({
  liar: z.enum(['service', 'node', 'file']),
  lie: z.string(),
  witness: z.string(),
  /** `refused`: nothing was signed. `held`: it was out already; see `steps`. `once`: paid once, and refused the second time. */
  ends: z.enum(['refused', 'held', 'once']),
  /** What ferry said, one after the other: the code of the error, or the status of the outcome; and where the money is. */
  steps: z.array(z.object({ said: z.string(), funds: z.string() })),
  /** The checks that failed, first the one that the attack is known by. */
  checks: z.array(z.string()),
  /** The balance of what was to be paid. */
  balance: z.object({ amount: z.string(), currency: z.string() }),
  /** What became more or less, gas aside, if anything did. */
  changes: z.array(z.object({ amount: z.string(), currency: z.string() })),
  isHeldOff: z.boolean(),
});

export type Attacked = z.output<typeof schema>;

/** What a transfer came to: the code of its error or the status of its outcome, and the checks that failed. */
export type Ended = { said: string; funds: Funds; checks: readonly string[] };

/** What the account holds of a currency, in base units. */
export type Holding = { currency: Currency.Currency; base: bigint };

/** Judges an attack by what ferry said and by what the account held before and after. */
export function from(
  attack: Attack.Attack,
  ended: readonly Ended[],
  { before, after }: { before: readonly Holding[]; after: readonly Holding[] },
): Attacked {
  const { liar, lie, witness, ends, target } = attack;
  const steps = ended.map(({ said, funds }) => ({ said, funds }));
  const changes = after
    .map(({ currency, base }, index) => ({ currency, base: base - (before[index]?.base ?? 0n) }))
    .filter(({ currency, base }) => base !== 0n && (ends === 'refused' || !Currency.isNative(currency)));
  const failed = ended.flatMap((each) => each.checks);
  const paid = after.find(({ currency }) => Currency.format(currency) === target.from);
  return {
    ...{ liar, lie, witness, ends, steps },
    checks: [...new Set([...failed.filter((check) => check === attack.caught), ...failed])],
    balance: paid ? toAmount(paid) : { amount: '', currency: target.from },
    changes: changes.map(toAmount),
    isHeldOff: isAsExpected(attack, ended) && (ends === 'refused' ? changes.length === 0 : isPaidOnce(target, changes)),
  };
}

/** Whether ferry said what it must: see `Attack.ends`. */
function isAsExpected({ ends, caught }: Attack.Attack, [first, second, third]: readonly Ended[]): boolean {
  switch (ends) {
    case 'refused':
      return first !== undefined && [first.said, ...first.checks].includes(caught);
    case 'once':
      return first?.funds === 'delivered' && second?.said === caught && second.funds === 'untouched';
    case 'held':
      return (
        ['unknown', 'in-flight'].includes(first?.funds ?? '') &&
        second?.said === 'run.unfinished' &&
        third?.funds === 'delivered'
      );
  }
}

/** Whether the amount has left once, for what was to be received. */
function isPaidOnce({ amount, from: paid, to }: Attack.Target, changes: readonly Holding[]): boolean {
  const change = (name: string): Holding | undefined =>
    changes.find(({ currency }) => Currency.format(currency) === name);
  const left = change(paid);
  return (
    left !== undefined &&
    left.base === -Amount.from(amount, left.currency.token.decimals) &&
    (change(to)?.base ?? 0n) > 0n &&
    changes.length === 2
  );
}

function toAmount({ currency, base }: Holding): { amount: string; currency: string } {
  return { amount: Amount.format(base, currency.token.decimals), currency: Currency.format(currency) };
}

const liars: Readonly<Record<Attack.Attack['liar'], string>> = {
  service: 'The service',
  node: 'The node',
  file: 'A quote file',
};

const words = { refused: 'refused', held: 'held   ', once: 'once   ' } as const;

/** `The service pays a millionth`. */
export function title({ liar, lie }: Pick<Attacked, 'liar' | 'lie'>): string {
  return `${liars[liar]} ${lie}`;
}

/** Who lied, who showed it, and what the account holds, in three lines. */
export function format(attacked: Attacked, style: Style): string {
  const { witness, ends, isHeldOff, steps, checks, balance, changes } = attacked;
  const held = `${Amount.shorten(balance.amount)} ${TerminalText.escape(balance.currency)}`;
  const moved =
    changes.length === 0
      ? style.green('unchanged')
      : changes.map((each) => `${signed(each.amount)} ${TerminalText.escape(each.currency)}`).join(', ');
  const check = checks[0] ?? steps[0]?.said ?? '';
  const shown = `${ends === 'refused' ? `${check}, ` : ''}shown by ${witness}`;
  return [
    `${isHeldOff ? style.green('✓') : style.red('✗')} ${style.bold(title(attacked))}`,
    `  ${isHeldOff ? style.dim(words[ends]) : style.red('missed ')}  ${shown}`,
    `  ${style.dim('balance')}  ${held}, ${moved}`,
  ].join('\n');
}

export function summary(
  { attacks, heldOff, account }: { attacks: readonly Attacked[]; heldOff: number; account: string },
  style: Style,
): string {
  const all = heldOff === attacks.length;
  const text = all
    ? `${attacks.length} attacks, and ${account} lost nothing.`
    : `${attacks.length - heldOff} of ${attacks.length} attacks were not held off: this is a bug in ferry.`;
  return `\n${all ? style.green(text) : style.red(text)}`;
}

function signed(amount: string): string {
  const short = Amount.shorten(amount);
  return amount.startsWith('-') ? short : `+${short}`;
}
