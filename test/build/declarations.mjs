/**
 * The library's type declarations: those of what src/index.ts exports and of everything that these name, and no others.
 * They need no other package. A type that is read off a schema is written out; a schema itself is not part of the library.
 *
 * Not by a declaration bundler: those copy zod's types and export every schema, for twice the text (rollup-plugin-dts), or
 * leave the import of zod in place.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import {
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isNamedExports,
  isNamedImports,
  isNamespaceImport,
  isQualifiedName,
  isStringLiteral,
  isTypeAliasDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { createTypeText } from './typeText.mjs';

/** @import { Expression, ImportDeclaration, Node, SourceFile, Statement, TypeAliasDeclaration } from 'typescript/unstable/ast' */

/**
 * What a local name is imported from. `name` is `*` for a whole module, and `path` a path in dist unless it is foreign.
 *
 * @typedef {{ path: string, isForeign: boolean, specifier: string, name: string, isTypeOnly: boolean }} Imported
 */

/**
 * @typedef {object} Module
 * @property {string} path
 * @property {SourceFile} source
 * @property {ReadonlyMap<string, Imported>} imports by local name
 * @property {ReadonlyMap<string, readonly [Statement, ...Statement[]]>} declared by name
 * @property {readonly Statement[]} statements all but the imports
 * @property {Set<Statement>} kept those that were reached
 * @property {Map<TypeAliasDeclaration, string>} spelt the types that were written out
 * @property {Set<string>} used the local names of the imports that are needed
 */

/**
 * A name that is used, and the member of it that is.
 *
 * @typedef {readonly [local: string, member: string | undefined]} Use
 */

/** Said once, for a program whose compiler knows neither the browser's types nor Node's. */
const globals = `
declare global {
  /** The runtime's own. Merges with the declaration of lib.dom or of Node's types where one is there. */
  interface AbortSignal {}
}
`;

/**
 * The declarations by path in dist.
 *
 * @param {string} root
 * @throws where one needs a package: the published package has no dependencies, so its types may have none
 */
export async function declarations(root) {
  const folder = await mkdtemp(join(tmpdir(), 'ferry-declarations-'));
  const api = new API({ cwd: root });
  try {
    await emit(root, folder);
    const parsing = { noResolve: true, noLib: true, types: [], module: 'nodenext' };
    const project = join(folder, 'tsconfig.json');
    await writeFile(project, JSON.stringify({ compilerOptions: parsing, include: ['**/*.d.ts'] }));
    // The project's own settings, without the tests.
    const library = join(folder, 'library.json');
    const typeRoots = [join(root, 'node_modules/@types')];
    await writeFile(
      library,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { typeRoots },
        include: [],
        files: [join(root, 'src/index.ts')],
      }),
    );
    const snapshot = api.updateSnapshot({ openProjects: [library, project] });
    const [sources, emitted] = [library, project].map((path) => snapshot.getProject(path));
    if (!sources || !emitted) throw new Error('The compiler opened no project.');
    const typeText = createTypeText(sources, join(root, 'src'));
    const parse = (/** @type {string} */ path) => {
      const source = emitted.program.getSourceFile(join(folder, path));
      if (!source) throw new Error(`${path} was not emitted.`);
      return source;
    };
    const kept = reach(parse, typeText);
    /** @type {Map<string, string>} */
    const files = new Map();
    for (const [path, module] of kept) {
      const original = await readFile(join(root, 'src', path.replace(/\.d\.ts$/, '.ts')), 'utf8');
      files.set(path, write(module, headerOf(original)));
    }
    files.set('index.d.ts', `${files.get('index.d.ts')}${globals}`);
    snapshot.dispose();
    return files;
  } finally {
    api.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the compiler's declarations of src/index.ts and of what it reaches to a folder.
 *
 * @param {string} root
 * @param {string} folder
 */
async function emit(root, folder) {
  const flags =
    '--ignoreConfig --declaration --emitDeclarationOnly --noCheck --target es2022 --lib es2023 --module nodenext --types node ' +
    '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --verbatimModuleSyntax --resolveJsonModule --skipLibCheck';
  const arguments_ = [...flags.split(' '), '--rootDir', 'src', '--outDir', folder, 'src/index.ts'];
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const child = spawn(process.execPath, [tsc, ...arguments_], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  if (code !== 0) throw new Error(`tsc ended with ${code}.`);
}

/**
 * The modules that index.d.ts reaches, by path, each with the statements that are reached in it.
 *
 * @param {(path: string) => SourceFile} parse
 * @param {ReturnType<typeof createTypeText>} typeText
 */
function reach(parse, typeText) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  const open = (/** @type {string} */ path) => {
    const module = modules.get(path) ?? read(path, parse(path));
    modules.set(path, module);
    return module;
  };
  const need = (/** @type {string} */ path, /** @type {string} */ name) => {
    const module = open(path);
    for (const statement of module.declared.get(name) ?? []) keep(module, statement, name);
  };
  const keep = (/** @type {Module} */ module, /** @type {Statement} */ statement, /** @type {string} */ name) => {
    if (module.kept.has(statement)) return;
    module.kept.add(statement);
    const used = usesOf(statement);
    if (isForeign(module, used)) {
      if (!isTypeAliasDeclaration(statement)) throw new ForeignTypeError(module.path, name);
      const { text, names } = typeText(module.path.replace(/\.d\.ts$/, '.ts'), name, schemaTypes(module));
      module.spelt.set(statement, text);
      for (const other of names) need(module.path, other);
      return;
    }
    for (const [local, member] of used) {
      const from = module.imports.get(local);
      if (!from) need(module.path, local);
      else if (from.name !== '*') need(from.path, from.name);
      else if (member !== undefined) need(from.path, member);
      else throw new Error(`${module.path} takes the module ${local} as a whole.`);
      if (from) module.used.add(local);
    }
  };
  const index = open('index.d.ts');
  for (const statement of index.statements) {
    index.kept.add(statement);
    const names = isExportDeclaration(statement) ? statement.exportClause : undefined;
    if (!isExportDeclaration(statement) || !statement.moduleSpecifier || !names || !isNamedExports(names))
      throw new Error('src/index.ts exports by name what it imports, and nothing else.');
    const path = target(index.path, textOf(statement.moduleSpecifier));
    for (const { name, propertyName } of names.elements) need(path, (propertyName ?? name).text);
  }
  return modules;
}

/**
 * What a module declares and imports.
 *
 * @param {string} path
 * @param {SourceFile} source
 * @returns {Module}
 */
function read(path, source) {
  /** @type {Map<string, Imported>} */
  const imports = new Map();
  /** @type {Map<string, [Statement, ...Statement[]]>} */
  const declared = new Map();
  /** @type {Statement[]} */
  const statements = [];
  for (const statement of source.statements) {
    if (isImportDeclaration(statement))
      for (const [local, from] of importsOf(path, statement)) imports.set(local, from);
    else statements.push(statement);
    for (const name of namesOf(statement)) {
      const same = declared.get(name);
      if (same) same.push(statement);
      else declared.set(name, [statement]);
    }
  }
  return { path, source, imports, declared, statements, kept: new Set(), spelt: new Map(), used: new Set() };
}

/**
 * @param {string} path
 * @param {ImportDeclaration} declaration
 * @returns {[local: string, Imported][]}
 */
function importsOf(path, { importClause, moduleSpecifier }) {
  const specifier = textOf(moduleSpecifier);
  const isForeign = !specifier.startsWith('.');
  const from = { path: isForeign ? specifier : target(path, specifier), isForeign, specifier };
  const isTypeOnly = importClause?.phaseModifier === SyntaxKind.TypeKeyword;
  const bindings = importClause?.namedBindings;
  if (bindings && isNamespaceImport(bindings)) return [[bindings.name.text, { ...from, name: '*', isTypeOnly }]];
  if (!bindings || !isNamedImports(bindings)) throw new Error(`${path} imports ${specifier} without names.`);
  return bindings.elements.map(({ name, propertyName, isTypeOnly: own }) => [
    name.text,
    { ...from, name: (propertyName ?? name).text, isTypeOnly: isTypeOnly || own },
  ]);
}

/** @param {Expression} literal */
function textOf(literal) {
  if (!isStringLiteral(literal)) throw new Error(`${literal.getText()} is not a string.`);
  return literal.text;
}

/**
 * @param {Statement} statement
 * @returns {string[]}
 */
function namesOf(statement) {
  const named = isVariableStatement(statement)
    ? [...statement.declarationList.declarations]
    : [/** @type {Statement & { name?: Node }} */ (statement)];
  return named.flatMap(({ name }) => (name && isIdentifier(name) ? [name.text] : []));
}

/**
 * The names of the types that are read off schemas.
 *
 * @param {Module} module
 */
function schemaTypes(module) {
  return [...module.declared].flatMap(([name, [statement]]) =>
    isTypeAliasDeclaration(statement) && isForeign(module, usesOf(statement)) ? [name] : [],
  );
}

/**
 * Each name that a statement uses, with the member of it if one is named: `Quote.Quote` gives `Quote` and `Quote`.
 *
 * @param {Statement} statement
 */
function usesOf(statement) {
  /** @type {Use[]} */
  const uses = [];
  const visit = (/** @type {Node} */ node) => {
    if (node.kind === SyntaxKind.ImportType) throw new Error(`${node.getText()} is not followed.`);
    if (isQualifiedName(node) && isIdentifier(node.left)) {
      uses.push([node.left.text, node.right.text]);
      return;
    }
    if (isIdentifier(node)) uses.push([node.text, undefined]);
    node.forEachChild(visit);
  };
  statement.forEachChild(visit);
  return uses;
}

/**
 * @param {Module} module
 * @param {readonly Use[]} used
 */
function isForeign({ imports }, used) {
  return used.some(([local]) => imports.get(local)?.isForeign);
}

/**
 * @param {string} path
 * @param {string} specifier
 */
function target(path, specifier) {
  return posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.d.ts'));
}

/**
 * The header of a file: its first comment, if an import, an empty line or nothing at all follows.
 *
 * @param {string} text
 */
function headerOf(text) {
  return /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/(?=\n(?:\n|import ))/.exec(text)?.[0] ?? '';
}

/**
 * The text of a module's declarations, those that were reached, with the imports that they need.
 *
 * @param {Module} module
 * @param {string} header
 */
function write({ path, source, imports, statements, kept, spelt, used }, header) {
  const parts = [header && `${header}\n`];
  for (const [local, { specifier, name, isTypeOnly }] of imports)
    if (used.has(local)) {
      const binding = name === '*' ? `* as ${local}` : `{ ${name === local ? name : `${name} as ${local}`} }`;
      parts.push(`import ${isTypeOnly ? 'type ' : ''}${binding} from '${specifier}';`);
    }
  for (const statement of statements) {
    const [name] = namesOf(statement);
    const whole = source.text.slice(statement.getStart(source, true), statement.end);
    const text = header && whole.startsWith(header) ? whole.slice(header.length).trimStart() : whole;
    const written = isTypeAliasDeclaration(statement) ? spelt.get(statement) : undefined;
    if (written !== undefined) {
      const head = text.slice(0, text.indexOf('=', text.lastIndexOf(`type ${name}`)));
      parts.push(`${head}= ${written};`);
    } else if (kept.has(statement)) parts.push(text);
  }
  // Without it everything in the file would count as exported.
  if (path !== 'index.d.ts') parts.push('export {};');
  return `${parts.filter(Boolean).join('\n')}\n`;
}

class ForeignTypeError extends Error {
  /**
   * @param {string} path
   * @param {string} name
   */
  constructor(path, name) {
    super(`${name} in src/${path.replace('.d.ts', '.ts')}, which src/index.ts exports, needs the types of a package.`);
  }
}
