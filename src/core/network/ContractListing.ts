/** A contract of a chain as `ferry contracts list` shows it. */
import * as z from 'zod/mini';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import * as ReportedContracts from './ReportedContracts.js';
import * as TrustedContracts from './TrustedContracts.js';

const origin = {
  source: z.nullable(z.enum(['shipped', 'pinned', 'accepted'])),
  /** When it was pinned or accepted, ISO 8601; null for what ferry ships. */
  at: z.nullable(z.string()),
  /** The address whose place it took. */
  instead: z.nullable(z.string()),
};

export const schema = z.object({
  contract: z.enum(TrustedContracts.contractNames),
  /** Null where only the service names one. */
  address: z.nullable(z.string()),
  ...origin,
  /** What the service says now; null where it names none or was not asked. */
  live: z.nullable(z.string()),
  /** Whether that is another address, or the only one; null where the service names none or was not asked. */
  differs: z.nullable(z.boolean()),
});

export const tokenSchema = z.object({ symbol: z.string(), address: z.string(), decimals: z.int(), ...origin });

export type ContractRow = z.infer<typeof schema>;

export type TokenRow = z.infer<typeof tokenSchema>;

/** A row for each contract that is known or that the service names. */
export function from(
  known: readonly TrustedContracts.KnownContract[],
  testimony: ReportedContracts.Testimony | undefined,
): ContractRow[] {
  return TrustedContracts.contractNames.flatMap((contract) => {
    const found = known.find((each) => each.contract === contract);
    const said = testimony?.[contract];
    if (!found && said === undefined) return [];
    return [
      {
        contract,
        address: found?.address ?? null,
        ...originOf(found),
        live: said === undefined ? null : ReportedContracts.show(said),
        differs:
          testimony && said !== undefined ? ReportedContracts.differs(testimony, contract, found?.address) : null,
      },
    ];
  });
}

/** A row for a token that the user pinned. */
export function fromToken({ token, ...known }: TrustedContracts.KnownToken): TokenRow {
  const { symbol, decimals } = token;
  return { symbol, address: known.address, decimals, ...originOf(known) };
}

/** Aligned lines; where the service says otherwise, its word in a line below. */
export function format(rows: readonly ContractRow[], tokens: readonly TokenRow[], style: Style): string {
  return TerminalText.columns([
    ...rows.flatMap((row) => {
      const { contract, address, live, differs } = row;
      const name = style.bold(contract);
      const mark = differs === null ? ' ' : differs ? style.red('≠') : style.green('✓');
      if (address === null) return [[name, `${mark} ${live}`, style.red('not known')]];
      const now = differs ? [['', `  ${live}`, style.red('the service now')]] : [];
      return [[name, `${mark} ${address}`, origins(row, style)], ...now];
    }),
    ...tokens.map((row) => [style.bold(TerminalText.escape(row.symbol)), `  ${row.address}`, origins(row, style)]),
  ]);
}

function origins({ source, at }: Pick<ContractRow, 'source' | 'at'>, style: Style): string {
  if (source === null) return '';
  return style.dim(at === null ? source : `${source} ${at.slice(0, 10)}`);
}

function originOf(
  known: Omit<TrustedContracts.KnownContract, 'contract' | 'address'> | undefined,
): Pick<ContractRow, 'source' | 'at' | 'instead'> {
  return {
    source: known?.source ?? null,
    at: known?.at === undefined ? null : new Date(known.at).toISOString(),
    instead: known?.instead ?? null,
  };
}
