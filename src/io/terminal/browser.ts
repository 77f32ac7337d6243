/** Opens a page in the user's browser. */
import { spawn } from 'node:child_process';
import { foreignEnv, type Host } from './host.js';

/**
 * Opens a URL in `BROWSER`, else in the system's browser. Resolves to whether a program was started: on a machine
 * without a display, or in CI, none is.
 */
export async function browse(url: string, { env, platform }: Pick<Host, 'env' | 'platform'>): Promise<boolean> {
  const [program, ...args] = programOf(env, platform);
  if (program === undefined || env.CI) return false;
  // No shell reads the URL.
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env: foreignEnv(env) });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function programOf(env: Host['env'], platform: string): string[] {
  const named = env.BROWSER?.split(':')[0]?.trim();
  if (named) return named.split(/\s+/);
  if (platform === 'darwin') return ['open'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
