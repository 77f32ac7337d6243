/** The trusted contracts of a chain, as `ferry contracts list` prints them. */
import * as z from 'zod/mini';
import * as Address from '../base/Address.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import * as TerminalText from '../text/TerminalText.js';
import * as ReportedContracts from './ReportedContracts.js';
import * as TrustedContracts from './TrustedContracts.js';

const origin = {
  source: z.nullable(z.enum(['shipped', 'pinned', 'accepted'])),
  /** When it was pinned or accepted, ISO 8601; null if ferry ships it. */
  at: z.nullable(z.string()),
  /** The address that it replaced. */
  instead: z.nullable(z.string()),
};

export const schema = z.object({
  contract: z.enum(TrustedContracts.contractNames),
  /** Null if only the service reports one. */
  address: z.nullable(z.string()),
  ...origin,
  /** The address that the service reports now; null if it reports none or was not queried. */
  live: z.nullable(z.string()),
  /** Whether `live` differs from `address`; null if the service reports none or was not queried. */
  differs: z.nullable(z.boolean()),
});

export const tokenSchema = z.object({ symbol: z.string(), address: z.string(), decimals: z.int(), ...origin });

export type ContractListing = z.infer<typeof schema>;

export type TokenRow = z.infer<typeof tokenSchema>;

/** One row for each contract that is trusted or reported by the service. */
export function from(
  known: readonly TrustedContracts.KnownContract[],
  testimony: ReportedContracts.ReportedContracts | undefined,
): ContractListing[] {
  return TrustedContracts.contractNames.flatMap((contract) => {
    const found = known.find((each) => each.contract === contract);
    const reported = testimony?.[contract];
    if (!found && reported === undefined) return [];
    return [
      {
        contract,
        address: found?.address ?? null,
        ...originOf(found),
        live: reported === undefined ? null : ReportedContracts.show(reported),
        differs: reported === undefined ? null : !(found && Address.isEqual(reported, found.address)),
      },
    ];
  });
}

/** The row of a token that the user pinned. */
export function fromToken({ token, ...known }: TrustedContracts.KnownToken): TokenRow {
  const { symbol, decimals } = token;
  return { symbol, address: known.address, decimals, ...originOf(known) };
}

/** Formats aligned lines. An address of the service that differs follows on its own line. */
export function format(rows: readonly ContractListing[], tokens: readonly TokenRow[], style: Style): string {
  const lines = [
    ...rows.flatMap((row) => {
      const { contract, address, live, differs } = row;
      const name = style.bold(contract);
      const mark = differs === null ? ' ' : differs ? style.red('≠') : style.green('✓');
      if (address === null) return [[name, `${mark} ${live}`, style.red('unknown')]];
      const now = differs ? [['', `  ${live}`, style.red('from the service')]] : [];
      return [[name, `${mark} ${address}`, origins(row, style)], ...now];
    }),
    ...tokens.map((row) => [style.bold(TerminalText.escape(row.symbol)), `  ${row.address}`, origins(row, style)]),
  ];
  return TerminalTable.format({ rows: lines }, style);
}

function origins({ source, at }: Pick<ContractListing, 'source' | 'at'>, style: Style): string {
  if (source === null) return '';
  return style.dim(at === null ? source : `${source} ${at.slice(0, 10)}`);
}

function originOf(
  known: Omit<TrustedContracts.KnownContract, 'contract' | 'address'> | undefined,
): Pick<ContractListing, 'source' | 'at' | 'instead'> {
  return {
    source: known?.source ?? null,
    at: known?.at === undefined ? null : new Date(known.at).toISOString(),
    instead: known?.instead ?? null,
  };
}
