/** What a library exports by its declarations: names, kinds and what is said of them. */
import { API, SymbolFlags, type Symbol as TypeSymbol } from 'typescript/unstable/sync';

export type Exported = {
  name: string;
  kind: 'class' | 'function' | 'type';
  /** Its comment. */
  words: string;
};

/** The exports of a file in a folder that has a tsconfig.json, by name. */
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
    const found = checker.getExportsOfModule(module).map((symbol) => {
      const meant = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return { name: symbol.name, kind: kindOf(meant), words: meant.getDocumentationComment(checker) };
    });
    snapshot.dispose();
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    api.close();
  }
}

function kindOf({ flags, name }: TypeSymbol): Exported['kind'] {
  if (flags & SymbolFlags.Class) return 'class';
  if (flags & SymbolFlags.Function) return 'function';
  if (flags & SymbolFlags.TypeAlias) return 'type';
  throw new Error(`${name} is of no kind that the library has.`);
}
