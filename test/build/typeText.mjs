/** A type that was computed, written out, with the comments of its properties. */
import { join } from 'node:path';
import { SymbolFlags, TypeFlags } from 'typescript/unstable/sync';

/** @import { Checker, IndexInfo, Project, Symbol, Type, TypeReference, UnionType } from 'typescript/unstable/sync' */

/**
 * Where a type is written.
 *
 * @typedef {object} Place
 * @property {Checker} checker
 * @property {ReadonlyMap<number, string>} known the names of the types that have one, by id
 * @property {Set<string>} names those of them that were used
 * @property {string} indent
 */

/** The flag that keeps a long type whole. */
const whole = 1;

/**
 * Writes out the type that a file of the folder calls by a name. Types that the same file calls by one of the other names
 * are called by it. Returns the text and the names in it.
 *
 * @param {Pick<Project, 'program' | 'checker'>} project
 * @param {string} folder
 */
export function createTypeText({ program, checker }, folder) {
  /** @type {(path: string, name: string, others: readonly string[]) => { text: string, names: ReadonlySet<string> }} */
  return (path, name, others) => {
    const file = program.getSourceFile(join(folder, path));
    const typeOf = (/** @type {string} */ each) => {
      const symbol = checker.resolveName(each, SymbolFlags.TypeAlias, file, true);
      if (!symbol) throw new Error(`${path} has no type ${each}.`);
      return checker.getDeclaredTypeOfSymbol(symbol);
    };
    const type = typeOf(name);
    const known = new Map(others.map((each) => [typeOf(each).id, each]));
    known.delete(type.id);
    /** @type {Set<string>} */
    const names = new Set();
    return { text: textOf(type, { checker, known, names, indent: '' }), names };
  };
}

/**
 * @param {Type} type
 * @param {Place} at
 * @returns {string}
 */
function textOf(type, at) {
  const { checker, known, names, indent } = at;
  const name = known.get(type.id);
  if (name !== undefined) {
    names.add(name);
    return name;
  }
  const plain = checker.typeToString(type, undefined, whole);
  // What holds no object has nothing to be commented or named. The file may have a Record of its own.
  if (!/(?<!\$)\{|\bRecord</.test(plain)) return plain;
  if (type.isUnionType()) return unionOf(type, at);
  if (checker.isArrayType(type)) {
    const [of] = checker.getTypeArguments(/** @type {TypeReference} */ (type));
    if (!of) throw new Error(`${plain} is an array of nothing.`);
    const text = textOf(of, at);
    return of.isUnionType() && text !== known.get(of.id) ? `(${text})[]` : `${text}[]`;
  }
  if (!type.isObjectType() || checker.isTupleType(type)) throw new Error(`${plain} cannot be written out.`);
  const below = { ...at, indent: `${indent}    ` };
  const lines = [
    ...checker.getIndexInfosOfType(type).map((info) => indexOf(info, below)),
    ...checker.getPropertiesOfType(type).flatMap((property) => propertyOf(property, below)),
  ];
  return `{\n${lines.map((line) => `${below.indent}${line}\n`).join('')}${indent}}`;
}

/**
 * @param {IndexInfo} info
 * @param {Place} at
 */
function indexOf({ keyType, valueType }, at) {
  return `[key: ${textOf(keyType, at)}]: ${textOf(valueType, at)};`;
}

/**
 * @param {Symbol} property
 * @param {Place} at
 */
function propertyOf(property, at) {
  const { checker, indent } = at;
  const words = property.getDocumentationComment(checker);
  const isOptional = (property.flags & SymbolFlags.Optional) !== 0;
  const name = /^[\w$]+$/.test(property.name) ? property.name : JSON.stringify(property.name);
  const type = checker.getTypeOfSymbol(property);
  if (!type) throw new Error(`${property.name} has no type.`);
  const text = textOf(type, at);
  return [
    ...(words ? [`/** ${words.replaceAll('\n', `\n${indent} * `)} */`] : []),
    `${name}${isOptional ? '?' : ''}: ${text};`,
  ];
}

/**
 * `true | false` becomes `boolean`, and `undefined` and `null` come last.
 *
 * @param {UnionType} type
 * @param {Place} at
 */
function unionOf(type, at) {
  const parts = type.getTypes();
  const isTruth = (/** @type {Type} */ { flags }) => (flags & TypeFlags.BooleanLiteral) !== 0;
  const isNothing = (/** @type {Type} */ { flags }) => (flags & (TypeFlags.Undefined | TypeFlags.Null)) !== 0;
  const some = parts.filter((each) => !isTruth(each) && !isNothing(each));
  const truths = parts.filter(isTruth);
  return [
    ...some.map((each) => textOf(each, at)),
    ...(truths.length === 2 ? ['boolean'] : truths.map((each) => textOf(each, at))),
    ...parts.filter(isNothing).map((each) => textOf(each, at)),
  ].join(' | ');
}
