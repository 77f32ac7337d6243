/** What a library exports by its declarations: names, kinds and what is said of them. */
import { isExportDeclaration } from 'typescript/unstable/ast/is';
import { API, type Project, SymbolFlags, type Symbol as TypeSymbol } from 'typescript/unstable/sync';

export type Exported = {
  /** `Quote.from`. */
  name: string;
  /** `types` is a namespace of which there are only the types. */
  kind: 'class' | 'const' | 'function' | 'namespace' | 'type' | 'types';
  /** Its comment. */
  words: string;
};

/** The exports of a file in a folder that has a tsconfig.json, those of namespaces too, by name. */
export function exportsOf(folder: string, file: string): Exported[] {
  const api = new API({ cwd: folder });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [`${folder}/tsconfig.json`] });
    const project = snapshot.getProject(`${folder}/tsconfig.json`);
    if (!project) throw new Error(`${folder} has no tsconfig.json`);
    const { checker, program } = project;
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is no module of the project`);
    const list = (of: TypeSymbol, prefix: string): Exported[] =>
      checker.getExportsOfModule(of).flatMap((symbol) => {
        const meant = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        const name = `${prefix}${symbol.name}`;
        const kind = kindOf(meant);
        if (kind !== 'namespace') return [{ name, kind, words: meant.getDocumentationComment(checker) }];
        const members = list(meant, `${name}.`);
        if (!isTypeOnly(symbol, project)) return [{ name, kind, words: '' }, ...members];
        return [{ name, kind: 'types', words: '' }, ...members.filter((member) => member.kind === 'type')];
      });
    const found = list(module, '').sort((a, b) => (a.name < b.name ? -1 : 1));
    snapshot.dispose();
    return found;
  } finally {
    api.close();
  }
}

/** Whether a namespace is exported by `export type * as`. */
function isTypeOnly({ declarations }: TypeSymbol, project: Project): boolean {
  const statement = declarations[0]?.resolve(project)?.parent;
  return statement !== undefined && isExportDeclaration(statement) && statement.isTypeOnly;
}

function kindOf({ flags, name }: TypeSymbol): Exported['kind'] {
  if (flags & SymbolFlags.ValueModule) return 'namespace';
  if (flags & SymbolFlags.Class) return 'class';
  if (flags & SymbolFlags.Function) return 'function';
  if (flags & SymbolFlags.Variable) return 'const';
  if (flags & SymbolFlags.TypeAlias) return 'type';
  throw new Error(`${name} is of no kind that is known.`);
}
