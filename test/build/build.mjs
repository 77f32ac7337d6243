/**
 * Builds dist: the program in chunks that load on demand, the library entry, its type declarations, the manual page, the
 * reference and the licences of what is bundled. Run by `npm run build` and, through `prepublish`, by every install of a
 * checkout; not through `prepare`, which npm would warn of when somebody installs the package.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** @import { Metafile, OutputFile, Plugin } from 'esbuild' */
/** @import { Generated } from '../support/generated.js' */

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');

/** What every bundle is made with. */
const settings = /** @type {const} */ ({
  absWorkingDir: root,
  bundle: true,
  minify: true,
  legalComments: 'none',
  platform: 'node',
  target: 'node20.18',
  // cosmiconfig asks for it only to read TypeScript configuration, which ferry never does.
  external: /** @type {string[]} */ (['typescript']),
  logLevel: 'warning',
});

/**
 * Bundles in memory. Resolves to `outputFiles` and a `metafile`, as esbuild has them.
 *
 * The program is one file, in which modules are evaluated on demand, so that an error of the library is one of the program:
 * 128 small files took longer to load than to run, and V8's code cache needs one.
 */
export async function bundle({ generated = generate(), minify = true } = {}) {
  const { build } = await import('esbuild');
  const version = JSON.stringify(await packageVersion());
  const common = /** @type {const} */ ({
    ...settings,
    minify,
    format: 'cjs',
    // Otherwise what is imported on demand from Node would start its loader of ES modules.
    supported: { 'dynamic-import': false },
    metafile: true,
    write: false,
  });
  const ofProgram = {
    define: { 'process.env.FERRY_VERSION': version, 'import.meta.url': 'importMetaUrl' },
    banner: { js: `const importMetaUrl=require('node:url').pathToFileURL(__filename).href;` },
  };
  const withWords = async () => {
    const { commands } = await generated;
    return [
      // What answers a shell is small: its words are in files of their own.
      await build({
        ...common,
        entryPoints: ['src/complete.ts'],
        outfile: 'dist/complete.cjs',
        define: { 'process.env.FERRY_TREE': '"words.json"' },
        plugins: [rarelyUsed, networksAsText],
      }),
      await build({
        ...common,
        entryPoints: ['src/start.ts'],
        outfile: 'dist/start.cjs',
        define: {
          'process.env.FERRY_VERSION': version,
          'process.env.FERRY_COMMANDS': JSON.stringify(JSON.stringify(commands)),
        },
      }),
    ];
  };
  const library = async () =>
    await build({
      ...settings,
      stdin: {
        contents: `import program from './program.cjs';\nexport const { ${await exportedNames()} } = await program.library();`,
        resolveDir: root,
      },
      outfile: 'dist/index.js',
      format: 'esm',
      external: ['./program.cjs'],
      metafile: true,
      write: false,
    });
  const [words, ...rest] = await Promise.all([
    withWords(),
    library(),
    build({
      ...common,
      stdin: {
        contents: `export { main } from './src/main.ts';\nexport const library = () => import('./src/index.ts');`,
        resolveDir: root,
      },
      outfile: 'dist/program.cjs',
      ...ofProgram,
      plugins: [
        rarelyUsed,
        genesisAsText,
        nodeModulesOfCommonJs,
        namesOfCommonJs,
        smallUndici,
        nativeSha256,
        englishWords,
      ],
    }),
    // The overview is wanted often and at once. It is the same program without what its commands load.
    build({
      ...common,
      entryPoints: ['src/main.ts'],
      outfile: 'dist/overview.cjs',
      ...ofProgram,
      plugins: [overviewAlone, nodeModulesOfCommonJs],
    }),
    build({ ...common, entryPoints: ['cosmiconfig'], outfile: 'dist/cosmiconfig.cjs' }),
    build({ ...common, entryPoints: ['pg'], outfile: 'dist/pg.cjs', external: [...settings.external, 'pg-native'] }),
  ]);
  const made = [...words, ...rest];
  const { tree, networks } = await generated;
  const genesis = JSON.stringify(JSON.parse(await readFile(join(root, 'src/sandbox/contracts/genesis.json'), 'utf8')));
  const texts = [['words', JSON.stringify(tree)], ['genesis', genesis], ...networks].map(([name, text = '']) => ({
    path: join(dist, `${name}.json`),
    contents: Buffer.from(text),
  }));
  const outputFiles = [...made.flatMap((each) => each.outputFiles).map(withFingerprint), ...texts];
  return {
    outputFiles,
    metafile: {
      inputs: Object.assign({}, ...made.map(({ metafile }) => metafile.inputs)),
      outputs: Object.assign({}, ...made.map(({ metafile }) => metafile.outputs)),
    },
  };
}

/**
 * What the library exports.
 *
 * @returns {Promise<readonly string[]>}
 */
async function exportedNames() {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    ...settings,
    entryPoints: ['src/index.ts'],
    outfile: 'dist/names.js',
    format: 'esm',
    packages: 'external',
    metafile: true,
    write: false,
  });
  return metafile.outputs['dist/names.js']?.exports ?? [];
}

/**
 * Puts a fingerprint of the program before it, by which its cached code is found. What start.ts compiles is a function of
 * what Node gives to a CommonJS module; for Node itself, the file is such a module.
 *
 * @param {OutputFile} file
 */
function withFingerprint({ path, contents }) {
  if (basename(path) !== 'program.cjs') return { path, contents };
  const fingerprint = createHash('sha256').update(contents).digest('hex').slice(0, 16);
  const names = 'exports, require, module, __filename';
  const before = `//${fingerprint}\n(f => this === globalThis ? f : f(${names}))(function (${names}) {`;
  return { path, contents: Buffer.concat([Buffer.from(before), contents, Buffer.from('});\n')]) };
}

/**
 * cosmiconfig, which reads YAML, and the client of PostgreSQL are files of their own: hardly any process needs them.
 *
 * @type {Plugin}
 */
const rarelyUsed = {
  name: 'rarely-used',
  setup(build) {
    build.onResolve({ filter: /^(cosmiconfig|pg)$/ }, ({ path }) => ({ path: `./${path}.cjs`, external: true }));
  },
};

/**
 * Completion reads of a network only names, and those of one network: each is a file of text, where its table would be code
 * that every answer to a shell compiles.
 *
 * @type {Plugin}
 */
const networksAsText = {
  name: 'networks-as-text',
  setup(build) {
    build.onLoad({ filter: /\/core\/network\/(sandbox|testnet|mainnet)\.ts$/ }, ({ path }) => ({
      contents: `
        import { readFileSync } from 'node:fs';
        export const network = JSON.parse(readFileSync(__dirname + '/${basename(path, '.ts')}.json', 'utf8'));
      `,
    }));
  },
};

/**
 * What the sandbox's chains begin with is a file of text: in the program, every command would read it.
 *
 * @type {Plugin}
 */
const genesisAsText = {
  name: 'genesis-as-text',
  setup(build) {
    build.onLoad({ filter: /\/sandbox\/contracts\/genesis\.json$/ }, () => ({
      contents: `
        import { readFileSync } from 'node:fs';
        export default JSON.parse(readFileSync(new URL('genesis.json', import.meta.url), 'utf8'));
      `,
      loader: 'js',
    }));
  },
};

/**
 * What main.ts imports on demand to run a command, and the commands, are not in the overview, which runs none. What it
 * needs, and what an error needs, is.
 *
 * @type {Plugin}
 */
const overviewAlone = {
  name: 'overview-alone',
  setup(build) {
    const wanted =
      /\/(io\/(terminal\/(host|pager|asciiText|style)|files\/)|cli\/program|core\/text\/(ErrorReport|JsonText)|core\/docs\/HelpLookup)/;
    build.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import' && !wanted.test(resolve(resolveDir, path).replaceAll('\\', '/'))
        ? { path: './program.cjs', external: true }
        : undefined,
    );
  },
};

/**
 * What is made from the command table: the words that shells complete, the manual page and the reference.
 *
 * @returns {Promise<Generated>}
 */
export async function generate() {
  const { build } = await import('esbuild');
  const folder = await mkdtemp(join(tmpdir(), 'ferry-generate-'));
  try {
    const outfile = join(folder, 'generated.mjs');
    await build({
      ...settings,
      entryPoints: ['test/support/generated.ts'],
      outfile,
      format: 'esm',
      // The commands are looked at and not run: what they load on demand is not needed.
      plugins: [nodeModulesOfCommonJs, smallUndici],
    });
    /** @type {typeof import('../support/generated.js')} */
    const { generate: make } = await import(pathToFileURL(outfile).href);
    return await make(await packageVersion());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function packageVersion() {
  return String((await manifest(root)).version);
}

/**
 * What is used of a package.json.
 *
 * @param {string} folder
 * @returns {Promise<{ version?: string, license?: string, type?: string }>}
 */
async function manifest(folder) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

/**
 * CommonJS dependencies get Node's modules without `require`, which an ES module has not: a banner that creates one
 * would cost every chunk its time at start. Commander's child_process, which serves commands in files of their own, is
 * loaded when it is called: never.
 *
 * @type {Plugin}
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
      // One for each package: a single one would be a file of its own, to be loaded even for commander's help.
      return { path: name, namespace: 'builtin', suffix: `?${packageOf(importer)}` };
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
 *
 * @type {Plugin}
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
 *
 * @type {Plugin}
 */
const smallUndici = {
  name: 'small-undici',
  setup(build) {
    const names = ['Agent', 'buildConnector', 'EnvHttpProxyAgent', 'Pool', 'request'];
    build.onResolve({ filter: /^undici$/ }, async ({ importer }) => {
      const uses = (await readFile(importer, 'utf8')).matchAll(/\{([^{}]*)\} = \(?await import\('undici'\)/g);
      const wanted = [...uses].flatMap(([, taken = '']) => taken.match(/[\w$]+/g) ?? []);
      const missing = wanted.filter((name) => !names.includes(name));
      if (missing.length || !wanted.length)
        return { errors: [{ text: `undici is bundled with ${names} alone, not with ${missing}` }] };
      return { path: 'undici', namespace: 'small-undici' };
    });
    build.onLoad({ filter: /.*/, namespace: 'small-undici' }, () => ({
      resolveDir: root,
      contents: `
        const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
        Dispatcher.prototype.request = require('undici/lib/api/api-request.js');
        module.exports = {
          Agent: require('undici/lib/dispatcher/agent.js'),
          buildConnector: require('undici/lib/core/connect.js'),
          // Few have a proxy, which alone is asked to CONNECT.
          get EnvHttpProxyAgent() {
            Dispatcher.prototype.connect = require('undici/lib/api/api-connect.js');
            return require('undici/lib/dispatcher/env-http-proxy-agent.js');
          },
          Pool: require('undici/lib/dispatcher/pool.js'),
          request(url, { dispatcher, ...options }) {
            const { origin, pathname, search } = new URL(url);
            return dispatcher.request({ ...options, origin, path: pathname + search });
          },
        };
      `,
    }));
    // HTTP/2 is never spoken.
    build.onResolve({ filter: /\/client-h2\.js$/ }, ({ path }) => ({ path, namespace: 'absent-h2' }));
    build.onLoad({ filter: /.*/, namespace: 'absent-h2' }, () => ({
      contents: `module.exports = () => { throw new Error('HTTP/2 is left out'); };`,
    }));
  },
};

/**
 * viem's SHA-256 by Node's own: what its JavaScript takes a few milliseconds for in a new process, OpenSSL does in a tenth of one.
 *
 * @type {Plugin}
 */
const nativeSha256 = {
  name: 'native-sha256',
  setup(build) {
    build.onResolve({ filter: /^@noble\/hashes\/sha256$/ }, ({ importer }) =>
      packageOf(importer) === 'viem' ? { path: 'sha256', namespace: 'native-sha256' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'native-sha256' }, () => ({
      contents: `
        const { createHash } = process.getBuiltinModule('node:crypto');
        export const sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest());
      `,
    }));
  },
};

/**
 * viem's accounts have the words of BIP-39 in ten languages. ferry takes English ones.
 *
 * @type {Plugin}
 */
const englishWords = {
  name: 'english-words',
  setup(build) {
    build.onResolve({ filter: /^@scure\/bip39\/wordlists\// }, ({ path }) =>
      path.endsWith('/english') ? undefined : { path, namespace: 'absent-words' },
    );
    build.onLoad({ filter: /.*/, namespace: 'absent-words' }, () => ({ contents: 'export const wordlist = [];' }));
  },
};

/**
 * Whether Node takes a file for an ES module.
 *
 * @param {string} path
 */
async function isModule(path) {
  if (!path.endsWith('.js')) return path.endsWith('.mjs');
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return (await manifest(folder)).type === 'module';
    if (folder === dirname(folder)) return false;
  }
}

/**
 * The package of a file: `undici`, `@hono/node-server`; undefined for our own.
 *
 * @param {string} path
 */
export function packageOf(path) {
  return /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

/**
 * The licences of every package in the bundle, as one text.
 *
 * @param {Pick<Metafile, 'inputs'>} metafile
 */
async function licences(metafile) {
  /** @type {Map<string, string>} */
  const folders = new Map();
  for (const input of Object.keys(metafile.inputs)) {
    const name = packageOf(input);
    if (name)
      folders.set(name, join(root, input.slice(0, input.lastIndexOf(`node_modules/${name}/`)), 'node_modules', name));
  }
  const parts = await Promise.all([...folders].sort().map(([name, folder]) => licence(name, folder)));
  return `ferry contains the following packages.\n\n${parts.join('\n')}`;
}

/**
 * @param {string} name
 * @param {string} folder
 */
async function licence(name, folder) {
  const { version, license } = await manifest(folder);
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (!files.length && !license) throw new Error(`${name} is bundled and states no licence.`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const rule = '-'.repeat(80);
  return [`${rule}\n${name} ${version} (${license})\n${rule}`, ...texts.map((text) => text.trim()), ''].join('\n\n');
}

/**
 * Puts the files into dist and removes everything else: dist is never empty while it is rebuilt.
 *
 * @param {ReadonlyMap<string, string | Uint8Array>} files
 */
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

/** Everything that dist holds, by path. */
async function assemble() {
  // Loaded here: without the development dependencies there is no compiler either.
  const { declarations } = await import('./declarations.mjs');
  const generated = generate();
  const [{ outputFiles, metafile }, declared] = await Promise.all([bundle({ generated }), declarations(root)]);
  const { manual, pages } = await generated;
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map(outputFiles.map(({ path, contents }) => [relative(dist, path), contents]));
  for (const [path, text] of declared) files.set(path, text);
  files.set('ferry.1', manual);
  for (const [path, text] of await manualFiles(pages)) files.set(path, text);
  files.set('THIRD-PARTY-LICENSES', await licences(metafile));
  return files;
}

/**
 * The manual as dist holds it: the generated pages, those that are written by hand, and their pictures.
 *
 * @param {ReadonlyMap<string, string>} pages
 */
async function manualFiles(pages) {
  const documents = join(root, '.github');
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map([...pages].map(([path, text]) => [join('docs', path), text]));
  for (const name of await readdir(join(documents, 'docs/guide'))) {
    const text = await readFile(join(documents, 'docs/guide', name), 'utf8');
    files.set(join('docs/guide', name), text);
    for (const [, picture = ''] of text.matchAll(/\.\.\/\.\.\/([\w-]+\.(?:svg|png))/g))
      files.set(picture, await readFile(join(documents, picture)));
  }
  return files;
}

async function run() {
  const started = performance.now();
  const files = await assemble();
  await replaceDist(files);
  const code = [...files].filter(([path]) => /\.c?js$/.test(path));
  const bytes = code.reduce((sum, [, contents]) => sum + contents.length, 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  // npm pack runs this before it answers, and its output is the name of the archive, or JSON.
  console.error(`dist: ${files.size} files, ${Math.round(bytes / 1024)} kB of code, ${seconds} s`);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await run().catch((error) => {
    const missing = error?.code === 'ERR_MODULE_NOT_FOUND' && /'(esbuild|typescript)'/.test(error.message);
    // esbuild has printed what it found.
    if (!error?.errors)
      console.error(missing ? 'ferry is built with its development dependencies: install them with npm ci.' : error);
    process.exitCode = 1;
  });
}
