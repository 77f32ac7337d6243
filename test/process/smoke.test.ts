/** The workflow of the manual, its steps run as GitHub would: in a project of its own, on a sandbox that ferry starts. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultLoaders } from 'cosmiconfig';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useFerry } from '../support/builtFerry.js';
import * as junit from '../support/junit.js';

const ferry = useFerry();
let project: string;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'ferry-project-'));
  // Nothing is fetched: the dependency is the folder that was just built.
  env = { ...ferry.env, npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const root = join(project, 'ferry');
  cpSync(join(ferry.path, '../..'), root, { recursive: true });
  const manifest = { name: 'ferry', version: '0.0.0', type: 'module', bin: { ferry: 'bin/ferry.js' } };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "version": "1.0.0" }');
  execFileSync('npm', ['install', '--save-dev', '--package-lock-only', root], { cwd: project, env, stdio: 'pipe' });
}, 120_000);
afterAll(async () => {
  await ferry.run(['sandbox', 'stop']);
  rmSync(project, { recursive: true, force: true });
});

/** The YAML in the manual's part on CI, in order. */
function examples(): string[] {
  const page = readFileSync(fileURLToPath(new URL('../../.github/docs/guide/automation.md', import.meta.url)), 'utf8');
  const part = page.split('\n## ').find((each) => each.startsWith('In CI\n')) ?? '';
  return [...part.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);
}

type Step = { uses?: string; run?: string };
type Workflow = { jobs: Record<string, { steps: Step[] }> };

describe('the workflow of the manual', () => {
  test('default: every step that runs something succeeds, and leaves the file that is uploaded', async () => {
    const [list = '', text = ''] = examples();
    const workflow = defaultLoaders['.yaml']('workflow.yaml', text) as Workflow;
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    expect(steps.filter(({ run, uses }) => (run === undefined) === (uses === undefined))).toEqual([]);
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.join('\n')).toContain('ferry smoke smoke.yaml --junit smoke.xml');

    mkdirSync(join(project, '.github/workflows'), { recursive: true });
    writeFileSync(join(project, '.github/workflows/smoke.yaml'), text);
    writeFileSync(join(project, 'smoke.yaml'), list);
    for (const command of commands) {
      // As GitHub's runner does, with no terminal and CI set.
      const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', command], {
        ...{ cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
        env: { ...env, CI: 'true', GITHUB_ACTIONS: 'true' },
      });
      expect([command, ended.status, ended.stderr]).toEqual([command, 0, expect.any(String)]);
    }

    const xml = readFileSync(join(project, 'smoke.xml'), 'utf8');
    expect(await junit.problems(xml)).toEqual([]);
    expect(junit.outcomes(xml)).toEqual({
      'price a bridge': 'passed',
      'refuse dust': 'passed',
      bridge: 'passed',
      'have it refunded': 'passed',
    });
  }, 120_000);
});
