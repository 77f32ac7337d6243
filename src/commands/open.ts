import * as z from 'zod/mini';
import * as Address from '../core/base/Address.js';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as RequestReference from '../core/history/RequestReference.js';
import * as RequestSource from '../core/history/RequestSource.js';
import * as Network from '../core/network/Network.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as TerminalText from '../core/text/TerminalText.js';

const page = z.object({
  /** What the page shows. */
  what: z.enum(['deposit', 'fill', 'refund', 'transaction', 'address']),
  chain: z.string(),
  url: z.string(),
});

type Page = z.infer<typeof page>;

export const command = define({
  description:
    'Opens the explorer’s page of a request, a run, a transaction or an address in your browser, and prints its URL: the latest payment of a request. Without a browser, or in a pipe, it only prints.',
  args: [{ name: 'what', names: 'page', description: 'a request, a run, a transaction hash or an address' }],
  options: {
    chain: { value: 'chain', description: 'the chain of a transaction or an address' },
    print: { description: 'open nothing' },
  },
  examples: [
    ['ferry open 0x17…', 'the fill of a request, on the destination'],
    ['ferry open 1f2e3d', 'the same, by the run that made it'],
    ['ferry open 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --chain base --network mainnet', 'an address'],
    ['ferry open 0x5a… --json | jq -r .data.pages[].url', 'every page, in a script'],
  ],
  output: z.object({
    /** All pages, the payment first. */
    pages: z.array(page),
    /** The one that a browser was started with; null if none was. */
    opened: z.nullable(z.string()),
  }),
  async run({ args: [what = ''], chain: named, print = false }, context) {
    const chain = named === undefined ? undefined : Network.chain(context.network, named);
    const pages = await pagesOf(what, chain, context);
    const latest = pages.at(-1);
    const opens = latest !== undefined && !print && !context.json && (await context.browse(latest.url));
    return { pages, opened: opens ? latest.url : null };
  },
  verbatim: true,
  view: ({ pages, opened }, style) =>
    pages
      .map(({ what, chain, url }) => {
        const line = TerminalText.escape(url);
        return url === opened ? `${line}  ${style.dim(`opened: ${what} on ${chain}`)}` : line;
      })
      .join('\n'),
});

/** @throws usage.* · request.unsupported · service.* · run.* */
async function pagesOf(what: string, chain: Network.Chain | undefined, context: Context): Promise<Page[]> {
  if (Address.isEnsName(what)) throw Address.notResolved(what, 'address');
  if (/^0x[0-9a-fA-F]{40}$/.test(what)) {
    if (!chain) {
      const first = context.network.chains.find(({ explorerUrl }) => explorerUrl !== undefined);
      throw new BaseError('usage.missing', 'An address is on every chain: name one with --chain.', {
        next: `${ShellCommand.line`ferry open ${what} --chain`} ${first?.name ?? '<chain>'}`,
      });
    }
    return [{ what: 'address', chain: chain.name, url: `${explorerOf(chain, what)}/address/${Address.from(what)}` }];
  }
  if (chain && /^0x[0-9a-fA-F]{64}$/.test(what))
    return [{ what: 'transaction', chain: chain.name, url: `${explorerOf(chain, what)}/tx/${what}` }];
  const id = await RequestReference.read(what, context.runs);
  const request = await RequestReference.find(id, RequestSource.from(context));
  if (!request) throw RequestReference.unknownRequest(id, context.network.name);
  const { transactions } = request;
  const pages = transactions.flatMap(({ role, chain: on, url }) =>
    url === null || on === null ? [] : [{ what: role, chain: on, url }],
  );
  if (pages.length > 0) return pages;
  const last = transactions.at(-1);
  if (!last)
    throw new BaseError('request.unsupported', 'The request has no transaction yet, so there is no page of one.', {
      next: ShellCommand.line`ferry status ${id}`,
    });
  throw noExplorer(last.chain ?? context.network.name, ShellCommand.line`ferry requests show ${id}`);
}

function explorerOf(chain: Network.Chain, what: string): string {
  if (chain.explorerUrl) return chain.explorerUrl;
  throw noExplorer(
    chain.name,
    what.length > 42 ? ShellCommand.line`ferry trace ${what}` : ShellCommand.line`ferry balance ${what}`,
  );
}

function noExplorer(chain: string, next: string): BaseError {
  return new BaseError('request.unsupported', `ferry knows no explorer of ${chain}.`, {
    hint: `Set one as networks.<name>.chains.${chain}.explorerUrl, or look with ferry.`,
    next,
  });
}
