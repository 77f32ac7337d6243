/**
 * Builds dist: the program in chunks that load on demand, the library entry, its type declarations and the licences of
 * what is bundled. Run by `npm run build` and, through `prepare`, by every install of a checkout.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');

/** Bundles in memory. Resolves to esbuild's result, with `metafile` and `outputFiles`. */
export async function bundle() {
  const { build } = await import('esbuild');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts', 'src/index.ts'].filter((path) => existsSync(join(root, path))),
    outdir: 'dist',
    // Flat: code finds bin/ferry.js as ../bin from wherever it was bundled to.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    minify: true,
    legalComments: 'none',
    define: { 'process.env.FERRY_VERSION': JSON.stringify(version) },
    // cosmiconfig asks for it only to read TypeScript configuration, which ferry never does.
    external: ['typescript'],
    plugins: [nodeModulesOfCommonJs, namesOfCommonJs, smallUndici],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
}

/**
 * CommonJS dependencies get Node's modules without `require`, which an ES module has not: a banner that creates one
 * would cost every chunk its time at start. Commander's child_process, which serves commands in files of their own, is
 * loaded when it is called: never.
 */
const nodeModulesOfCommonJs = {
  name: 'node-modules-of-commonjs',
  setup(build) {
    const known = new Set(builtinModules);
    build.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind, importer }) => {
      const name = path.replace(/^node:/, '');
      if (kind !== 'require-call' || !known.has(name)) return undefined;
      if (name === 'http2' && packageOf(importer) === 'undici') return { path: name, namespace: 'absent' };
      if (name === 'child_process' && packageOf(importer) === 'commander') return { path: name, namespace: 'lazy' };
      return { path: name, namespace: 'builtin' };
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
    build.onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({
      contents: `exports.spawn = (...given) => process.getBuiltinModule('${path}').spawn(...given);`,
    }));
    // undici looks for http2 in a try block and goes on without it. ferry speaks HTTP/1.1, and http2 takes 9 ms to load.
    build.onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error('${path} is left out');`,
    }));
  },
};

/**
 * `await import('a-commonjs-package')` has the package's names in Node and only `default` in esbuild's output. This puts a
 * module with those names between the two.
 */
const namesOfCommonJs = {
  name: 'names-of-commonjs',
  setup(build) {
    build.onResolve({ filter: /^[a-z@][^:]*$/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData?.named || path === 'undici') return undefined;
      const found = await build.resolve(path, { kind: 'import-statement', resolveDir, pluginData: { named: true } });
      if (found.errors.length || found.external || (await isModule(found.path))) return undefined;
      return { path, namespace: 'names', pluginData: { resolveDir } };
    });
    build.onLoad({ filter: /.*/, namespace: 'names' }, async ({ path, pluginData: { resolveDir } }) => {
      const names = Object.keys(await import(createRequire(join(resolveDir, '_.js')).resolve(path)));
      const exported = names.filter((name) => /^[\w$]+$/.test(name) && name !== 'default' && name !== 'module.exports');
      return {
        resolveDir,
        contents: `export { ${['default', ...exported].join(', ')} } from ${JSON.stringify(path)};`,
      };
    });
  },
};

/**
 * undici without what ferry never uses (fetch, WebSocket, mocks, caches): 30 ms less for every command that asks the
 * service. A name that the importer takes and that is not here fails the build.
 */
const smallUndici = {
  name: 'small-undici',
  setup(build) {
    const names = ['Agent', 'EnvHttpProxyAgent', 'request'];
    build.onResolve({ filter: /^undici$/ }, async ({ importer }) => {
      const [, taken = ''] = /\{([^{}]*)\} = \(?await import\('undici'\)/.exec(await readFile(importer, 'utf8')) ?? [];
      const missing = taken.split(',').filter((name) => name.trim() && !names.includes(name.trim().split(':')[0]));
      if (missing.length || !taken)
        return { errors: [{ text: `undici is bundled with ${names} alone, not with ${missing}` }] };
      return { path: 'undici', namespace: 'small-undici' };
    });
    build.onLoad({ filter: /.*/, namespace: 'small-undici' }, () => ({
      resolveDir: root,
      contents: `
        import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
        import api from 'undici/lib/api/index.js';
        import Agent from 'undici/lib/dispatcher/agent.js';
        import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
        Object.assign(Dispatcher.prototype, api);
        const request = (url, { dispatcher, ...options }) => {
          const { origin, pathname, search } = new URL(url);
          return dispatcher.request({ ...options, origin, path: pathname + search });
        };
        export { ${names} };
        export default { ${names} };
      `,
    }));
  },
};

/** Whether Node takes a file for an ES module. */
async function isModule(path) {
  if (!path.endsWith('.js')) return path.endsWith('.mjs');
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')).type === 'module';
    if (folder === dirname(folder)) return false;
  }
}

/** The package of a file: `undici`, `@hono/node-server`; undefined for our own. */
export function packageOf(path) {
  return /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

/** The licences of every package in the bundle, as one text. */
async function licences(metafile) {
  const folders = new Map();
  for (const input of Object.keys(metafile.inputs)) {
    const name = packageOf(input);
    if (name)
      folders.set(name, join(root, input.slice(0, input.lastIndexOf(`node_modules/${name}/`)), 'node_modules', name));
  }
  const parts = await Promise.all([...folders].sort().map(([name, folder]) => licence(name, folder)));
  return `ferry contains the following packages.\n\n${parts.join('\n')}`;
}

async function licence(name, folder) {
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (!files.length && !license) throw new Error(`${name} is bundled and states no licence.`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const rule = '-'.repeat(80);
  return [`${rule}\n${name} ${version} (${license})\n${rule}`, ...texts.map((text) => text.trim()), ''].join('\n\n');
}

/** Writes the declarations of src/index.ts and of what they reach to a folder. */
async function declare(folder) {
  const flags =
    '--ignoreConfig --declaration --emitDeclarationOnly --noCheck --target es2022 --lib es2023 --module nodenext --types node ' +
    '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --verbatimModuleSyntax --resolveJsonModule --skipLibCheck';
  const arguments_ = [...flags.split(' '), '--rootDir', 'src', '--outDir', folder, 'src/index.ts'];
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace(/package\.json$/, 'bin/tsc');
  const child = spawn(process.execPath, [tsc, ...arguments_], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  if (code !== 0) throw new Error(`tsc ended with ${code}.`);
}

/**
 * The declarations that index.d.ts reaches, by path in dist.
 *
 * @throws where one imports a package: the published package has no dependencies, so its types may have none.
 */
async function declarations(folder) {
  const files = new Map();
  const follow = async (path) => {
    if (files.has(path)) return;
    const text = await readFile(join(folder, path), 'utf8');
    files.set(path, text);
    const code = text.replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, specifier] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (specifier.startsWith('.')) await follow(join(dirname(path), specifier.replace(/\.js$/, '.d.ts')));
      else
        throw new Error(
          `The declarations of src/${path.replace('.d.ts', '.ts')}, which src/index.ts exports, need ${specifier}.`,
        );
    }
  };
  await follow('index.d.ts');
  return files;
}

/** Puts the files into dist and takes away what else is there: dist is never empty while it is built anew. */
async function replaceDist(files) {
  for (const [path, contents] of files) {
    await mkdir(dirname(join(dist, path)), { recursive: true });
    await writeFile(join(dist, path), contents);
  }
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(relative(dist, path))) await rm(path);
  }
}

async function run() {
  const started = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'ferry-build-'));
  try {
    const hasIndex = existsSync(join(root, 'src/index.ts'));
    const [{ outputFiles, metafile }] = await Promise.all([bundle(), hasIndex && declare(folder)]);
    const files = new Map(outputFiles.map(({ path, contents }) => [relative(dist, path), contents]));
    for (const [path, text] of hasIndex ? await declarations(folder) : []) files.set(path, text);
    files.set('THIRD-PARTY-LICENSES', await licences(metafile));
    await replaceDist(files);
    const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`dist: ${files.size} files, ${Math.round(bytes / 1024)} kB of code, ${seconds} s`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await run().catch((error) => {
    const missing = error?.code === 'ERR_MODULE_NOT_FOUND' && /'esbuild'/.test(error.message);
    // esbuild has printed what it found.
    if (!error?.errors)
      console.error(missing ? 'ferry is built with its development dependencies: install them with npm ci.' : error);
    process.exitCode = 1;
  });
}
