/** Terminal text of a proof: a one-line summary, or a table of its findings. */
import * as SingleWitness from '../proof/SingleWitness.js';
import type { Finding, Verdict } from '../quote/Finding.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

type Shown = Omit<Finding, 'subject'> & { subject?: string | null | undefined };

/**
 * `✓ 41 checks passed: it does what was asked`, or the number of checks that fail. Without a request to compare it with,
 * a quote does not do what was asked; its parts agree.
 *
 * @param options.allow the checks that may remain unverified
 * @param options.isPrice whether the quote is wanted as a price, for which nothing needs to be proved
 */
export function summary(
  proof: readonly Shown[],
  style: Style,
  { allow = [], isPrice = false }: { allow?: readonly string[] | undefined; isPrice?: boolean } = {},
): string {
  const accepted = proof.filter(({ verdict, check }) => verdict === 'cannot verify' && allow.includes(check));
  const count = (verdict: Verdict): number =>
    proof.filter((each) => each.verdict === verdict && !accepted.includes(each)).length;
  const [verified, wrong, open] = [count('verified'), count('mismatch'), count('cannot verify')];
  const skipped = [...new Set(proof.filter(({ verdict }) => verdict === 'not checked').map(({ check }) => check))];
  /** Behind the line, or below it if it would not fit. */
  const withSkipped = (line: string): string => {
    if (skipped.length === 0) return line;
    const note = `(not checked: ${TerminalText.listed(skipped)})`;
    const fits = TerminalText.width(line) + 1 + note.length <= style.width;
    return `${line}${fits ? ' ' : '\n  '}${style.dim(note)}`;
  };
  if (wrong > 0) return style.red(`✗ ${wrong} of ${proof.length} checks failed: ferry would refuse to sign it`);
  if (open > 0 && !isPrice && proof.every((each) => each.verdict !== 'cannot verify' || isSingle(each))) {
    const facts = SingleWitness.facts(proof.filter(isSingle));
    return style.yellow(`? ${TerminalText.escape(facts)}; ferry asks before it signs, and refuses under --yes`);
  }
  if (open > 0) {
    const then = isPrice ? 'it is a price, and not proved to be safe to sign' : 'ferry would refuse to sign it';
    return style.yellow(`? ${open} of ${proof.length} checks cannot be verified: ${then}`);
  }
  if (accepted.length > 0) {
    const names = [...new Set(accepted.map(({ check }) => check))].join(', ');
    return withSkipped(`${style.yellow('✓')} ${verified} checks passed, and you accept without proof: ${names}`);
  }
  // A bare answer, of which nobody has said what was asked.
  const isCompared = !proof.some(({ check, verdict: found }) => check === 'amount' && found === 'not checked');
  const words = isCompared ? 'it does what was asked' : 'its parts agree, but with what was asked it was not compared';
  return withSkipped(`${style.green('✓')} ${verified} checks passed: ${words}`);
}

/** Whether a finding rests on one witness alone. */
function isSingle({ verdict, witnesses = [] }: Shown): boolean {
  return verdict === 'cannot verify' && witnesses.length > 0;
}

/** The findings that prevent signing, one line each; empty if there are none. */
export function objections(proof: readonly Shown[], style: Style): string {
  return proof
    .filter(({ verdict }) => verdict === 'mismatch' || verdict === 'cannot verify')
    .map((each) => {
      const mark = each.verdict === 'mismatch' ? style.red('✗') : style.yellow('?');
      return `  ${mark} ${name(each)}: expected ${TerminalText.escape(each.expected)}, found ${TerminalText.escape(each.found)}`;
    })
    .join('\n');
}

/** All findings: verdict, check and what was found; for failed checks also what was expected. */
export function table(proof: readonly Shown[], style: Style): string {
  const marks: Record<Verdict, string> = {
    verified: style.green('✓'),
    mismatch: style.red('✗'),
    'cannot verify': style.yellow('?'),
    'not checked': style.dim('·'),
  };
  const names = Math.max(...proof.map((each) => TerminalText.width(name(each))), 0);
  const room = Math.max(20, style.width - names - 4);
  return proof
    .map((each) => {
      const found = TerminalText.escape(each.found);
      const expected = TerminalText.escape(each.expected);
      const evidence =
        each.verdict === 'mismatch' || each.verdict === 'cannot verify'
          ? `expected ${expected}, found ${found}`
          : each.verdict === 'not checked'
            ? style.dim(`not checked: ${TerminalLine.cut(found, room - 13)}`)
            : // A check that passed needs not show the base units beside an amount.
              style.dim(TerminalLine.cut(found.replace(/ \(-?\d+\)(?=$| of )/, ''), room));
      return `${marks[each.verdict]} ${TerminalText.padEnd(name(each), names)}  ${evidence}`;
    })
    .join('\n');
}

function name({ check, subject }: Shown): string {
  return subject ? `${check} of ${TerminalText.escape(subject)}` : check;
}
