/** The doctor's comparisons with the outside: the trusted contracts and the clock. */

import type { Fact } from '../core/base/Errors.js';
import * as ClockSkew from '../core/checks/ClockSkew.js';
import * as HealthCheck from '../core/checks/HealthCheck.js';
import type { Context } from '../core/command/Context.js';
import * as ContractListing from '../core/network/ContractListing.js';
import type { Chain } from '../core/network/Network.js';
import * as ReportedContracts from '../core/network/ReportedContracts.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import type { Service } from './remoteChecks.js';

/** Checks that the service uses the contracts ferry trusts. */
export function checkPins(
  chains: readonly Chain[],
  answer: Service | undefined,
  { pins, config: { network } }: Pick<Context, 'pins'> & { config: Pick<Context['config'], 'network'> },
): HealthCheck.Check {
  const onIt = { network: network.source.kind === 'flag' ? network.value : undefined };
  if (!answer)
    return HealthCheck.warn('pins', 'Not checked: the service did not report its contracts.', {
      fix: ShellCommand.from('contracts list', [], onIt),
    });
  const rows = chains.flatMap((chain) =>
    ContractListing.from(pins.contracts(chain), ReportedContracts.from(answer.chains, chain.id)).map((row) => ({
      ...row,
      chain: chain.name,
    })),
  );
  const differing = rows.filter(({ differs }) => differs);
  const facts = differing.map(
    ({ chain, contract, address, live }): Fact => [
      `${contract} of ${chain}`,
      `${address ?? 'unknown'}, the service reports ${live}`,
    ],
  );
  const fix = differing[0] && ShellCommand.from('contracts accept', [differing[0].chain], onIt);
  if (differing.some(({ address }) => address !== null))
    return HealthCheck.fail(
      'pins',
      'The service uses contracts that differ from the trusted ones. ferry refuses quotes that pay them.',
      {
        facts,
        hint: 'Ask the team behind the service before you accept them.',
        fix,
      },
    );
  if (differing.length > 0)
    return HealthCheck.warn('pins', 'The service names contracts that ferry does not know.', { facts, fix });
  return HealthCheck.ok('pins', `${rows.length} contracts are trusted, and the service uses no others.`);
}

/** Clock skew that is a warning. */
const noticeableMs = 5_000;

/** Compares the clock with the service's, else with the newest block, which is never in the future. */
export function checkClock(
  service: Service | undefined,
  nodes: readonly { timestamp: bigint | undefined }[],
  { clock }: Pick<Context, 'clock'>,
): HealthCheck.Check {
  const now = clock.now();
  const newest = Math.max(0, ...nodes.map(({ timestamp = 0n }) => Number(timestamp)));
  const skew = service?.skew ?? ClockSkew.fromBlock(newest, now);
  const whose = service?.skew ? 'the service’s' : 'the newest block’s';
  if (!skew && newest === 0)
    return HealthCheck.warn('clock', 'Not checked: no server reported the time.', { fix: 'date -u' });
  if (!skew)
    return HealthCheck.ok('clock', 'The clock is not behind the newest block. The service does not report the time.');
  const facts: Fact[] = [
    ['skew', ClockSkew.format(skew)],
    ['here', new Date(now).toISOString()],
  ];
  const least = ClockSkew.least(skew);
  if (least <= noticeableMs)
    return HealthCheck.ok(
      'clock',
      `The clock agrees with ${whose} within ${Math.ceil((Math.abs(skew.aheadMs) + skew.marginMs) / 1000)} s.`,
      { facts },
    );
  const more = { facts, hint: 'Deadlines and the age of quotes depend on it.', fix: 'sudo timedatectl set-ntp true' };
  const summary = `The clock is ${ClockSkew.format(skew)}${skew.aheadMs > 0 ? ' of' : ''} ${whose}.`;
  return least > ClockSkew.harmfulMs
    ? HealthCheck.fail('clock', summary, more)
    : HealthCheck.warn('clock', summary, more);
}
