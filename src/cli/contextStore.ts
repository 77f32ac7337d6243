/** What a command is given of the store of all machines, or of the files of this one. */
import { once } from '../core/base/Once.js';
import type { Context } from '../core/command/Context.js';
import type * as Config from '../core/config/Config.js';
import type * as Ports from '../core/ports/Ports.js';
import type { TakeOver } from '../io/locks/fileLock.js';
import { createNonces } from '../io/state/nonceLocks.js';
import { countedPayments } from '../io/state/paths.js';
import type { Host } from '../io/terminal/host.js';

export function createStorage({
  host,
  config,
  warn,
  takeOver,
  deployment,
}: {
  host: Host;
  config: Config.Config;
  warn(text: string): void;
  takeOver: TakeOver | undefined;
  /** The instance of the sandbox, or a word for networks that have none. */
  deployment(): Promise<string>;
}) {
  const url = config.store.value;
  /** The runs of the store are sealed with the secret that this machine shares with the others. */
  const settingsOf = async (at: string) => {
    const { sealing } = await import('../io/state/userSecret.js');
    return { url: at, env: host.env, isAsyncAccepted: config.storeAsync.value, host, seal: sealing(host), warn };
  };
  const store =
    url === undefined
      ? undefined
      : once(async () => (await import('../io/postgres/openStore.js')).openStore(await settingsOf(url)));
  /** The session of `ferry store`, which also looks at a store that is not fit for payments. */
  const control = once(async () => {
    const { connect } = await import('../io/postgres/session.js');
    const { createStoreControl } = await import('../io/postgres/controlStore.js');
    const settings = await settingsOf(url ?? '');
    const session = await connect(settings);
    return { session, control: createStoreControl({ session, ...settings }) };
  });
  const counted = once(async (): Promise<Ports.Counted> => {
    const place = once(deployment);
    if (store) return (await store()).counted(place);
    const { createCounted } = await import('../io/locks/countedPayments.js');
    return createCounted(countedPayments(host), place);
  });
  const noStore = async (): Promise<Error> => (await import('../io/postgres/controlStore.js')).noStoreError();
  const ports: Pick<Context, 'runs' | 'counted' | 'store' | 'storeDoubt' | 'batches' | 'lineWitness' | 'ledger'> = {
    runs: once(async () =>
      store ? (await store()).runs : (await import('../io/runs/runFolder.js')).createRuns(host, { warn, takeOver }),
    ),
    counted: {
      count: async (id, owner) => (await counted()).count(id, owner),
      ownerOf: async (id) => (await counted()).ownerOf(id),
    },
    store: async () => {
      if (url === undefined) throw await noStore();
      return (await control()).control;
    },
    storeDoubt: async () => (store ? (await store()).doubt() : undefined),
    batches: async () => {
      if (!store) throw await noStore();
      return (await store()).batches;
    },
    lineWitness: async () => (await import('../io/state/lineWitness.js')).createLineWitness(host),
    ledger: async (path, owner) =>
      (await import('../io/state/ledgerFile.js')).open(path, owner, { cwd: host.cwd, takeOver }),
  };
  return {
    ports,
    rates: store && (async (of: { origin: string; apiKey: string | undefined }) => (await store()).rates(of)),
    /** Turns at nonces: the store's, or those of the files of this machine. */
    turns(timeoutMs: number): Ports.Nonces {
      if (!store) return createNonces({ host, timeoutMs, takeOver });
      return {
        async *take(counter, held) {
          return yield* (await store()).nonces(timeoutMs).take(counter, held);
        },
      };
    },
    /** Ends the sessions that would outlive the command. */
    async end(): Promise<void> {
      for (const made of [store?.made(), control.made()])
        await made?.then(({ session }) => session.end()).catch(() => {});
    },
  };
}
