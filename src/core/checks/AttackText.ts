/** The attacks of `ferry demo attack` as text. */
import * as Amount from '../base/Amount.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import type * as Attack from './Attack.js';
import type { Attacked } from './AttackReport.js';

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
