/** Has the service submit a raw call and follows it, also when a run is resumed. */
import type * as Execute from '../core/api/Execute.js';
import { native } from '../core/base/Address.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as Resumption from '../core/execution/Resumption.js';
import type * as CallDocument from '../core/gasless/CallDocument.js';
import * as CallExecution from '../core/gasless/CallExecution.js';
import * as SimulationReplay from '../core/gasless/SimulationReplay.js';
import * as Network from '../core/network/Network.js';
import * as Place from '../core/text/Place.js';
import type { Run } from '../core/tracking/RunStore.js';

import { assertSettled } from '../setup/trustNonces.js';
import { patienceOf } from './executeQuote.js';
import { notifyFlags } from './journalledRun.js';

export const callFlags = {
  chain: { value: 'name', names: 'chain', description: 'the chain of the call' },
  to: { value: 'address', description: 'the contract to call' },
  data: { value: 'hex', description: 'the calldata' },
  value: { value: 'wei', description: 'native amount to send (default: 0)' },
  authorization: { value: 'json', repeats: true, description: 'an EIP-7702 authorization; may be repeated' },
  destinationCall: {
    value: 'to:value:data',
    repeats: true,
    description: 'a call on the destination chain; may be repeated',
  },
  destinationAuthorization: {
    value: 'json',
    repeats: true,
    description: 'an EIP-7702 authorization on the destination chain; may be repeated',
  },
  referrer: { value: 'name', description: 'the referrer that the service knows you by' },
  subsidizeFees: { description: 'the sponsor of the API key pays the fees' },
  requestId: { value: 'id', description: 'the request id of the quote that the call belongs to' },
  body: { value: 'file', description: 'the whole request body, from a file or - for stdin' },
  replay: { description: 'replay a failed simulation of the service on your own node' },
  noWait: { description: 'exit once the service has accepted the call' },
  timeout: { value: 'time', description: 'how long to follow the call (default: 5m)' },
  ...notifyFlags,
  again: { description: 'submit even if the same call is unfinished; this makes a second call' },
} as const satisfies Flags;

export async function* executeCall(
  run: Run,
  request: Execute.Request,
  options: Options<typeof callFlags>,
  context: Context,
): AsyncGenerator<Event, CallDocument.CallDocument> {
  const { to, chainId } = request.data;
  const chain = Network.chain(context.network, String(chainId));
  await assertSettled(chain, context);
  await context.confirm(
    `On ${Place.inWords(context.network)}: have the service call ${Place.withName(to, context.place)} on ${chain.name}?`,
  );
  const ports = await portsOf(run, request, options, context);
  return yield* CallExecution.run(request, ports, patienceOf(options, context));
}

/** Follows a call that an earlier process may have posted; posts nothing. @throws run.unsigned · submit.unknown */
export async function* resumeCall(
  run: Run,
  options: Pick<Options<typeof callFlags>, 'noWait'>,
  context: Context,
): AsyncGenerator<Event, CallDocument.CallDocument> {
  const { handed, taken } = run.state();
  if (handed?.type !== 'call') throw Resumption.unsignedRun(run.state());
  const request = handed.request as Execute.Request;
  const ports = await portsOf(run, request, {}, context);
  return yield* CallExecution.resumed(request, taken, ports, patienceOf(options, context));
}

async function portsOf(
  journal: Run,
  { data }: Execute.Request,
  { replay = false }: Pick<Options<typeof callFlags>, 'replay'>,
  context: Context,
): Promise<CallExecution.Ports> {
  const { network, clock, signal, warn } = context;
  return {
    service: await context.service(),
    journal,
    clock,
    signal,
    warn,
    replay: async (error) => {
      if (!replay || !error.trace) return error;
      const node = await context.chain(Network.chain(network, String(data.chainId)));
      return SimulationReplay.compare(error, data, node, network.solver?.relayers?.[0] ?? native);
    },
  };
}
