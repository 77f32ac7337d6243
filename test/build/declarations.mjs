/**
 * The library's type declarations: those of what src/index.ts exports and of everything that these name, and no others.
 * They stand alone. A type that is read off a schema is written out; a schema itself is no part of the library.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { createTypeText } from './typeText.mjs';

/** Said once, for a program whose compiler knows neither the browser's types nor Node's. */
const globals = `
declare global {
  /** The runtime's own. Merges with the declaration of lib.dom or of Node's types where one is there. */
  interface AbortSignal {}
}
`;

/**
 * The declarations by path in dist, and the types that were written out, each by its path and name.
 *
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
    const snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json'), project] });
    const typeText = createTypeText(snapshot.getProject(join(root, 'tsconfig.json')), join(root, 'src'));
    const { program } = snapshot.getProject(project);
    const kept = reach((path) => program.getSourceFile(join(folder, path)), typeText);
    const files = new Map();
    for (const [path, module] of kept) {
      const original = await readFile(join(root, 'src', path.replace(/\.d\.ts$/, '.ts')), 'utf8');
      files.set(path, write(module, headerOf(original)));
    }
    files.set('index.d.ts', `${files.get('index.d.ts')}${globals}`);
    const spelt = [...kept].flatMap(([path, module]) =>
      [...module.spelt.keys()].map(({ name }) => ({ path, name: name.text })),
    );
    snapshot.dispose();
    return { files, spelt };
  } finally {
    api.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes what the compiler declares of src/index.ts and of what it reaches to a folder. */
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

/** The modules that index.d.ts reaches, by path, each with the statements that are reached in it. */
function reach(parse, typeText) {
  const modules = new Map();
  const open = (path) => {
    const module = modules.get(path) ?? read(path, parse(path));
    modules.set(path, module);
    return module;
  };
  const need = (path, name) => {
    const module = open(path);
    for (const statement of module.declared.get(name) ?? []) keep(module, statement, name);
  };
  const keep = (module, statement, name) => {
    if (module.kept.has(statement)) return;
    module.kept.add(statement);
    const used = usesOf(statement);
    if (isForeign(module, used)) {
      if (statement.kind !== SyntaxKind.TypeAliasDeclaration) throw new ForeignTypeError(module.path, name);
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
    const path = target(index.path, statement.moduleSpecifier.text);
    const { exportClause } = statement;
    if (exportClause.kind === SyntaxKind.NamespaceExport)
      for (const name of publicNames(open(path), statement.isTypeOnly)) need(path, name);
    else for (const { name, propertyName } of exportClause.elements) need(path, (propertyName ?? name).text);
  }
  return modules;
}

/** What a module declares and imports. */
function read(path, source) {
  const imports = new Map();
  const declared = new Map();
  const statements = [];
  for (const statement of source.statements) {
    if (statement.kind === SyntaxKind.ImportDeclaration) {
      const from = statement.moduleSpecifier.text;
      const at = from.startsWith('.') ? { path: target(path, from) } : { foreign: from };
      const { namedBindings, isTypeOnly } = { isTypeOnly: false, ...clauseOf(statement) };
      const bindings = namedBindings.elements ?? [namedBindings];
      for (const { name, propertyName, isTypeOnly: own } of bindings) {
        const whole = namedBindings.kind === SyntaxKind.NamespaceImport;
        const imported = whole ? '*' : (propertyName ?? name).text;
        imports.set(name.text, { ...at, specifier: from, name: imported, isTypeOnly: isTypeOnly || own === true });
      }
    } else statements.push(statement);
    for (const name of namesOf(statement)) declared.set(name, [...(declared.get(name) ?? []), statement]);
  }
  return { path, source, imports, declared, statements, kept: new Set(), spelt: new Map(), used: new Set() };
}

function clauseOf({ importClause }) {
  return {
    namedBindings: importClause.namedBindings,
    isTypeOnly: importClause.phaseModifier === SyntaxKind.TypeKeyword,
  };
}

function namesOf(statement) {
  if (statement.declarationList) return statement.declarationList.declarations.map(({ name }) => name.text);
  return statement.name?.text === undefined ? [] : [statement.name.text];
}

/** The names of a module that is exported as a namespace; schemas are left out, and values where only types are. */
function publicNames(module, typesOnly) {
  const isType = ({ kind }) => kind === SyntaxKind.TypeAliasDeclaration || kind === SyntaxKind.ClassDeclaration;
  return [...module.declared].flatMap(([name, [statement]]) => {
    const isExported = statement.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword);
    const isSchema = statement.declarationList !== undefined && isForeign(module, usesOf(statement));
    return isExported && !isSchema && (isType(statement) || !typesOnly) ? [name] : [];
  });
}

/** The names of the types that are read off schemas. */
function schemaTypes(module) {
  return [...module.declared].flatMap(([name, [statement]]) =>
    statement.kind === SyntaxKind.TypeAliasDeclaration && isForeign(module, usesOf(statement)) ? [name] : [],
  );
}

/** Each name that a statement uses, with the member of it where one is named: `Quote.Quote` gives `Quote` and `Quote`. */
function usesOf(statement) {
  const uses = [];
  const visit = (node) => {
    if (node.kind === SyntaxKind.ImportType) throw new Error(`${node.getText()} is not followed.`);
    if (node.kind === SyntaxKind.QualifiedName && node.left.kind === SyntaxKind.Identifier) {
      uses.push([node.left.text, node.right.text]);
      return;
    }
    if (node.kind === SyntaxKind.Identifier) uses.push([node.text, undefined]);
    node.forEachChild(visit);
  };
  statement.forEachChild(visit);
  return uses;
}

function isForeign({ imports }, used) {
  return used.some(([local]) => imports.get(local)?.foreign !== undefined);
}

function target(path, specifier) {
  return posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.d.ts'));
}

/** What a file says of itself: its first comment, where an import, another comment or nothing at all follows. */
function headerOf(text) {
  return /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/(?=\n(?:\n|import ))/.exec(text)?.[0] ?? '';
}

/** The text of a module's declarations, those that were reached, with the imports that they need. */
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
    if (spelt.has(statement)) {
      const head = text.slice(0, text.indexOf('=', text.lastIndexOf(`type ${name}`)));
      parts.push(`${head}= ${spelt.get(statement)};`);
    } else if (kept.has(statement)) parts.push(text);
  }
  // Without it everything in the file would count as exported.
  if (path !== 'index.d.ts') parts.push('export {};');
  return `${parts.filter(Boolean).join('\n')}\n`;
}

class ForeignTypeError extends Error {
  constructor(path, name) {
    super(`${name} in src/${path.replace('.d.ts', '.ts')}, which src/index.ts exports, needs the types of a package.`);
  }
}
