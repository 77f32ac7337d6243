import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ferry, temporaryFolder } from '../../support/ferry.js';

describe('config path', () => {
  test('default: the path alone, whether or not there is a file', async () => {
    const home = temporaryFolder();
    const path = join(home, '.config/ferry/config.json');
    expect(await ferry(['config', 'path'], { home })).toMatchObject({ code: 0, stdout: `${path}\n`, stderr: '' });
    expect((await ferry(['config', 'path', '--json'], { home })).json().data).toEqual({
      ...{ userFile: path, exists: false, projectFile: null },
    });
  });

  test('behavior: the file that there is, and the one of the project', async () => {
    const home = temporaryFolder();
    const [folder, project] = [join(home, '.config/ferry'), join(home, 'code')];
    for (const each of [folder, project]) mkdirSync(each, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.yaml'), 'maxImpact: 3\n', { mode: 0o600 });
    writeFileSync(join(project, '.ferryrc.json'), '{}');
    const { json } = await ferry(['config', 'path', '--json'], { home, cwd: project });
    expect(json().data).toEqual({
      ...{ userFile: join(folder, 'config.yaml'), exists: true, projectFile: join(project, '.ferryrc.json') },
    });
  });
});
