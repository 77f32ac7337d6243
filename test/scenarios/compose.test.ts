/**
 * The compose file of the guide, as far as it can be held without containers: its commands are read by ferry, its database
 * is started with its own options, and what it asks of a worker is served.
 */
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { parse } from '../../src/cli/program.js';
import * as Config from '../../src/core/config/Config.js';
import { selfSigned } from '../support/certificate.js';
import { at, ferry } from '../support/ferry.js';
import { programs, usePostgres } from '../support/postgres.js';
import { useSandbox } from '../support/sandbox.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = join(root, '.github/docs/guide');
const yaml = (name: string) => parseYaml(readFileSync(join(guide, name), 'utf8'), { merge: true });

type Service = {
  command: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  secrets?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, unknown>;
  build?: string;
  ports?: string[];
};

const compose: {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  secrets: Record<string, { file: string }>;
} = yaml('compose.yaml');
const { services } = compose;
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);
const worker = services.worker as Service;
const [, , , , metrics = ''] = worker.command;

describe('compose.yaml', () => {
  test('default: ferry reads its commands, and its image is built beside it', async () => {
    expect(ours.map(([name]) => name)).toEqual(['init', 'worker']);
    for (const [, { command, build }] of ours) {
      expect((await parse(command, '0', { columns: 80, hasColors: false })).kind).toBe('command');
      expect(build).toBe('.');
    }
    const dockerfile = readFileSync(join(guide, 'Dockerfile'), 'utf8');
    const { name, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(dockerfile).toContain(`npm install --global "${name}@`);
    expect(dockerfile).toContain('ENTRYPOINT ["ferry"]');
    expect(Number(/^FROM node:(\d+)/m.exec(dockerfile)?.[1])).toBeGreaterThanOrEqual(
      Number(/(\d+)/.exec(engines.node)?.[1]),
    );
    // The folder that the volume takes its owner from.
    expect(dockerfile).toMatch(new RegExp(`install -d -o node .* ${worker.environment?.FERRY_STATE_DIR}\\n`));
  });

  test('behavior: ferry reads each variable, and takes its value', () => {
    for (const [service, { environment = {} }] of ours) {
      const env = { ...environment, ...(environment.FERRY_SUBMITTERS && { FERRY_SUBMITTERS: `0x${'1'.repeat(40)}` }) };
      // It warns of variables of that kind that it does not know.
      const { store, warnings } = Config.merge({ env });
      expect([store.value, warnings], service).toEqual([environment.FERRY_STORE, []]);
      // The package that speaks to the database reads one of its own.
      expect(Object.keys(environment).filter((name) => !name.startsWith('FERRY_'))).toEqual(['PGPASSFILE']);
    }
  });

  test('behavior: each volume, secret and service that is named is there', () => {
    for (const [
      name,
      { volumes = [], secrets = [], depends_on = {}, environment = {}, command = [] },
    ] of Object.entries(services)) {
      for (const secret of secrets) expect(Object.keys(compose.secrets), name).toContain(secret);
      for (const volume of volumes.map((each) => each.split(':')[0] ?? ''))
        if (!volume.startsWith('.')) expect(Object.keys(compose.volumes), name).toContain(volume);
      for (const other of Object.keys(depends_on)) expect(Object.keys(services), name).toContain(other);
      const used = [...Object.values(environment), ...command].join(' ').matchAll(/\/run\/secrets\/([\w.]+)/g);
      expect(secrets, name).toEqual(expect.arrayContaining([...used].map(([, secret]) => secret)));
    }
  });

  test('behavior: Prometheus asks where the workers serve, and nobody outside can', () => {
    const [{ metrics_path: path, dns_sd_configs: names }] = yaml('prometheus.yaml').scrape_configs;
    expect(path).toBe('/metrics');
    expect(names).toEqual([{ names: ['worker'], type: 'A', port: Number(metrics.split(':')[1]) }]);
    expect(worker.ports).toBeUndefined();
    expect(services.prometheus?.volumes?.[0]).toContain('./prometheus.yaml:');
    expect(services.prometheus?.ports?.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
  });
});

describe.skipIf(!programs)('what compose.yaml starts', () => {
  const { sandbox } = useSandbox();
  const postgres = usePostgres();

  test('default: its database takes a verified connection, and a worker serves what is asked of it', async () => {
    const url = await postgres.database();
    const pair = selfSigned();
    const files: Record<string, string> = { 'server.crt': pair.cert, 'server.key': pair.key, 'ca.crt': pair.cert };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(postgres.folder, name), text, { mode: 0o600 });
      if (process.getuid?.() === 0 && name !== 'ca.crt') chownSync(join(postgres.folder, name), 65534, 65534);
    }
    const here = (text: string): string => text.replaceAll('/run/secrets', postgres.folder);
    await postgres.crash();
    await postgres.start(services.postgres?.command.filter((word) => word.includes('=')).map(here));
    const stated = new URL(here(worker.environment?.FERRY_STORE ?? ''));
    const { port, pathname } = new URL(url);
    // The only name that its certificate has in a test is an address.
    const store = `postgres://${stated.username}@127.0.0.1:${port}${pathname}${stated.search}`;
    const env = { ...at(sandbox), FERRY_STORE: store };
    expect((await ferry([...(services.init?.command ?? []), '--json'], { env })).json()).toMatchObject({ ok: true });
    expect(
      await postgres.sql(
        `select count(*) from pg_stat_ssl join pg_stat_activity using (pid) where ssl and application_name = 'ferry'`,
        url,
      ),
    ).toBe('0');
    const other = { ...env, FERRY_STORE: store.replace(stated.search, '?sslmode=verify-full') };
    expect((await ferry(['runs', 'list', '--json'], { env: other })).json().error.code).toBe('store.unreachable');

    const said: string[] = [];
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const command = worker.command.map((word) => (word === metrics ? metrics.replace(/\d+$/, '0') : word));
    const running = ferry(
      command.map((word) => (word === 'payer1,payer2' ? 'dev0,dev1' : word)),
      { env, signal: abort.signal, heard: (text) => said.push(text) },
    );
    const code = worker.healthcheck?.test[3] ?? '';
    const asked = /fetch\('([^']+)'\)/.exec(code)?.[1] ?? '';
    expect(new URL(asked).port).toBe(metrics.split(':')[1]);
    const serving = /Serving http:\/\/0\.0\.0\.0:(\d+)/;
    await expect.poll(() => said.join('\n')).toMatch(serving);
    const [, served] = serving.exec(said.join('\n')) ?? [];
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${served}${path}`)).status;
    expect(await statusOf(new URL(asked).pathname)).toBe(200);
    expect(await statusOf('/metrics')).toBe(200);
    expect(
      await postgres.sql(
        `select count(*) > 0 from pg_stat_ssl join pg_stat_activity using (pid) where ssl and application_name = 'ferry'`,
        url,
      ),
    ).toBe('t');
    abort.abort();
    await running;
  }, 60_000);
});
