import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ferry, temporaryFolder } from '../../support/ferry.js';

const edit = ['config', 'edit', '--json'];

function place(text?: string, name = 'config.json') {
  const home = temporaryFolder();
  const path = join(home, '.config/ferry', name);
  if (text !== undefined) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  }
  return { home, path, text: () => readFileSync(path, 'utf8') };
}

describe('config edit', () => {
  test('default: what the editor saves takes effect', async () => {
    const { home, path, text } = place();
    const env = { EDITOR: `printf '{ "maxImpact": 3 }' >` };
    expect((await ferry(edit, { home, env })).json().data).toEqual({ path, changed: true });
    expect(text()).toBe('{ "maxImpact": 3 }');
    expect((await ferry(['config', 'get', 'maxImpact'], { home })).stdout).toBe('3%\n');
  });

  test.each([['{ "maxImpact":'], ['{ "slipage": 1 }'], ['{ "network": "nowhere" }']])(
    'behavior: with %s, the file can be mended',
    async (broken) => {
      const { home, path, text } = place(broken);
      const env = { EDITOR: `printf '{ "maxImpact": 3 }' >` };
      expect((await ferry(edit, { home, env })).json().data).toEqual({ path, changed: true });
      expect(text()).toBe('{ "maxImpact": 3 }');
    },
  );

  test('behavior: YAML keeps its comments, and the copy has the name of the file', async () => {
    const { home, text } = place('# mine\nmaxImpact: 3\n', 'config.yaml');
    const env = { VISUAL: `sh -c 'case $1 in *config.yaml) sed -i s/3/4/ "$1";; esac' sh`, EDITOR: 'false' };
    expect((await ferry(edit, { home, env })).json().data.changed).toBe(true);
    expect(text()).toBe('# mine\nmaxImpact: 4\n');
  });

  test('behavior: nothing changed, and no file is written', async () => {
    const { home, path } = place();
    const { json } = await ferry(edit, { home, env: { EDITOR: 'true' } });
    expect([json().data.changed, existsSync(path)]).toEqual([false, false]);
  });

  test.each([
    ['not valid JSON', `printf '{' >`, 'config.unreadable'],
    ['a setting that there is not', `printf '{ "slipage": 1 }' >`, 'config.invalid'],
    ['an editor that fails', 'false', 'usage.invalid'],
    ['an editor that is not there', 'no-such-editor', 'usage.invalid'],
  ])('error: %s leaves the file as it was', async (_, EDITOR, code) => {
    const { home, text } = place('{ "maxImpact": 3 }');
    const ended = await ferry(edit, { home, env: { EDITOR } });
    expect([ended.code, ended.json().error.code, text()]).toEqual([2, code, '{ "maxImpact": 3 }']);
  });

  test('error: no editor is named, and there is no terminal', async () => {
    expect((await ferry(edit)).json().error).toMatchObject({ code: 'usage.invalid', next: expect.any(String) });
  });

  test('behavior: no setting of ferry reaches the editor', async () => {
    const { home, text } = place('{}');
    const env = {
      EDITOR: `sh -c 'env | grep -c ^FERRY_ > /dev/null && exit 1; printf "{\\"quiet\\": true}" > "$1"' sh`,
    };
    await ferry(edit, { home, env: { ...env, FERRY_API_KEY: 'hush-hush-hush' } });
    expect(text()).toBe('{"quiet": true}');
  });
});
