/** A type that was computed, written out, with what the comments of its properties say. */
import { join } from 'node:path';
import { SymbolFlags, TypeFlags } from 'typescript/unstable/sync';

/** However long it is. */
const whole = 1;

/**
 * Writes out the type that a file of the folder calls by a name. Types that the same file calls by one of the other
 * names go by it: resolves to the text and to the names that are in it.
 */
export function createTypeText({ program, checker }, folder) {
  return (path, name, others) => {
    const file = program.getSourceFile(join(folder, path));
    const typeOf = (each) =>
      checker.getDeclaredTypeOfSymbol(checker.resolveName(each, SymbolFlags.TypeAlias, file, true));
    const type = typeOf(name);
    const known = new Map(others.map((each) => [typeOf(each).id, each]));
    known.delete(type.id);
    const names = new Set();
    return { text: textOf(type, { checker, known, names, indent: '' }), names };
  };
}

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
    const [of] = checker.getTypeArguments(type);
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

function indexOf({ keyType, valueType }, at) {
  return `[key: ${textOf(keyType, at)}]: ${textOf(valueType, at)};`;
}

function propertyOf(property, at) {
  const { checker, indent } = at;
  const words = property.getDocumentationComment(checker);
  const isOptional = (property.flags & SymbolFlags.Optional) !== 0;
  const name = /^[\w$]+$/.test(property.name) ? property.name : JSON.stringify(property.name);
  const text = textOf(checker.getTypeOfSymbol(property), at);
  return [
    ...(words ? [`/** ${words.replaceAll('\n', `\n${indent} * `)} */`] : []),
    `${name}${isOptional ? '?' : ''}: ${text};`,
  ];
}

/** `true | false` is one word, and what stands for nothing stands last. */
function unionOf(type, at) {
  const parts = type.getTypes();
  const isTruth = ({ flags }) => (flags & TypeFlags.BooleanLiteral) !== 0;
  const isNothing = ({ flags }) => (flags & (TypeFlags.Undefined | TypeFlags.Null)) !== 0;
  const some = parts.filter((each) => !isTruth(each) && !isNothing(each));
  const truths = parts.filter(isTruth);
  return [
    ...some.map((each) => textOf(each, at)),
    ...(truths.length === 2 ? ['boolean'] : truths.map((each) => textOf(each, at))),
    ...parts.filter(isNothing).map((each) => textOf(each, at)),
  ].join(' | ');
}
