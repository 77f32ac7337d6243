/** The table of messages is read as a whole when one is added: they should sound like one program. */

import { fileURLToPath } from 'node:url';
import type { Expression, Node, SourceFile } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { expect, test } from 'vitest';
import { entries } from '../src/core/base/Errors.js';
import { readSources } from './support/importGraph.js';

/** One message, and where it comes from. */
type Message = {
  /** The codes of an error; of anything else what it is: `question`, `warning`, `wait`. */
  codes: readonly string[];
  /** `core/quote/Currency.ts unknownToken`. */
  from: string;
  text: string;
  /** The labels of its facts. */
  facts: string;
  hint: string;
  next: string;
};

const codes: ReadonlySet<string> = new Set(entries().map(([code]) => code));

/** What a call with one of these names tells the user. */
const told: Readonly<Record<string, string>> = {
  confirm: 'question',
  confirmGas: 'question',
  confirmPayment: 'question',
  text: 'question',
  password: 'question',
  choose: 'question',
  search: 'question',
  warn: 'warning',
  waiting: 'wait',
  say: 'wait',
};

/** The messages of all sources, in the order of the files. */
function readMessages(): Message[] {
  const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [`${root}/tsconfig.json`] }).getProject(`${root}/tsconfig.json`);
    const paths = [...readSources().keys()].sort();
    return paths.flatMap((path) => {
      const file = project?.program.getSourceFile(`${root}/src/${path}`);
      if (!file) throw new Error(`${path} is no source of the project`);
      return messagesIn(file, path);
    });
  } finally {
    api.close();
  }
}

function messagesIn(file: SourceFile, path: string): Message[] {
  const found: Message[] = [];
  const walk = (node: Node, within: string): void => {
    const name = is.isClassDeclaration(node) ? (node.name?.text ?? within) : within;
    if (is.isCallOrNewExpression(node)) {
      const message = messageOf(node, file, name === '' ? path : `${path} ${name}`);
      if (message) found.push(message);
    }
    node.forEachChild((child) => {
      walk(child, name);
      return undefined;
    });
  };
  walk(file, '');
  return found;
}

function messageOf(call: Node, file: SourceFile, from: string): Message | undefined {
  if (!is.isCallOrNewExpression(call)) return undefined;
  const [first, ...rest] = [...(call.arguments ?? [])];
  if (!first) return undefined;
  const kind = kindOf(call.expression, file);
  // A drawing's text has attributes, and what a check says has what was expected.
  if (kind && (is.isObjectLiteralExpression(first) || rest.length > 2)) return undefined;
  if (kind) {
    const text = render(first, file);
    // Passed on; the message is where it is written.
    return /^\{[^}]*\}$/.test(text) ? undefined : { codes: [kind], from, text, facts: '', hint: '', next: '' };
  }
  if (!/Error$|^super$/.test(textOf(call.expression, file))) return undefined;
  const of = literals(first).filter((text) => codes.has(text));
  const [message, ...extras] = rest;
  if (of.length === 0 || !message) return undefined;
  const property = (name: string): string =>
    extras
      .flatMap((each) => properties(each, name, file))
      .map((value) => render(value, file))
      .filter((text) => text !== '')
      .join(' | ');
  const facts = extras.flatMap((each) => properties(each, 'facts', file)).flatMap((value) => labels(value, file));
  const text = render(message, file);
  return { codes: of, from, text, facts: facts.join(', '), hint: property('hint'), next: property('next') };
}

function kindOf(callee: Expression, file: SourceFile): string | undefined {
  const name = textOf(callee, file);
  if (!/^(?:(?:context|prompt|this)\.)?\w+$/.test(name)) return undefined;
  return told[name.split('.').at(-1) ?? ''];
}

/** The values of a property of an object literal, also of one that is chosen by a condition or spread. */
function properties(node: Node, name: string, file: SourceFile): Expression[] {
  if (is.isConditionalExpression(node))
    return [node.whenTrue, node.whenFalse].flatMap((each) => properties(each, name, file));
  if (is.isParenthesizedExpression(node)) return properties(node.expression, name, file);
  if (is.isBinaryExpression(node)) return properties(node.right, name, file);
  if (!is.isObjectLiteralExpression(node)) return [];
  return [...node.properties].flatMap((each) => {
    if (is.isSpreadAssignment(each)) return properties(each.expression, name, file);
    if (is.isPropertyAssignment(each) && textOf(each.name, file) === name) return [each.initializer];
    return is.isShorthandPropertyAssignment(each) && textOf(each.name, file) === name ? [each.name as Expression] : [];
  });
}

/** The labels of facts: the first string of each pair. */
function labels(node: Node, file: SourceFile): string[] {
  if (is.isArrayLiteralExpression(node)) {
    const [label, value, ...more] = [...node.elements];
    if (label && value && more.length === 0 && !is.isArrayLiteralExpression(label) && !is.isSpreadElement(label))
      return [render(label, file)];
  }
  const inner: string[] = [];
  node.forEachChild((child) => {
    inner.push(...labels(child, file));
    return undefined;
  });
  return inner;
}

function literals(node: Node): string[] {
  if (is.isStringLiteral(node)) return [node.text];
  const inner: string[] = [];
  node.forEachChild((child) => {
    inner.push(...literals(child));
    return undefined;
  });
  return inner;
}

/** An expression as the text that it makes; what is known only when it runs stands in braces. */
function render(node: Node, file: SourceFile): string {
  if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)) return node.text;
  // A command with what stands in it quoted.
  if (is.isTaggedTemplateExpression(node)) return render(node.template, file);
  if (is.isTemplateExpression(node))
    return (
      node.head.text +
      [...node.templateSpans].map((span) => `${render(span.expression, file)}${span.literal.text}`).join('')
    );
  if (is.isParenthesizedExpression(node)) return render(node.expression, file);
  if (is.isConditionalExpression(node)) {
    const parts = [node.whenTrue, node.whenFalse].map((each) => render(each, file));
    return parts.every((part) => part !== '') ? `{${parts.join(' | ')}}` : `{${parts.join('')}}`;
  }
  if (textOf(node, file) === 'undefined') return '';
  return `{${textOf(node, file).replace(/\s+/g, ' ')}}`;
}

function textOf(node: Node, file: SourceFile): string {
  return file.text.slice(node.pos, node.end).trim();
}

/** The table: each code with where the money is, then its messages, in the order of their letters: code may move. */
function format(messages: readonly Message[]): string {
  const block = ({ text, facts, hint, next }: Message): string =>
    [
      `  ${text}`,
      ...(facts === '' ? [] : [`    facts  ${facts}`]),
      ...(hint === '' ? [] : [`    hint   ${hint}`]),
      ...(next === '' ? [] : [`    next   ${next}`]),
    ].join('\n');
  const of = (code: string): string[] =>
    [...new Set(messages.filter((each) => each.codes.includes(code)).map(block))].sort();
  const errors = entries().flatMap(([code, { exit, funds, docs }]) => [
    `${code} (exit ${exit}, funds ${funds}): ${docs}`,
    ...of(code),
    '',
  ]);
  const others = [...new Set(Object.values(told))].flatMap((kind) => [kind, ...of(kind), '']);
  return [...errors, ...others].join('\n');
}

const messages = readMessages();

test('the committed table has every message', async () => {
  await expect(format(messages)).toMatchFileSnapshot('recorded/messages.txt');
});

test('every code has a message', () => {
  const missing = entries()
    .map(([code]) => code)
    .filter((code) => !messages.some(({ codes }) => codes.includes(code)));
  // Its message is the parser's.
  expect(missing).toEqual(['usage.unknown-option']);
});

test('a message is a sentence that begins with a capital letter or a name, and ends', () => {
  const errors = messages.filter(({ codes }) => codes[0]?.includes('.'));
  const odd = errors.filter(({ text }) => !/^(?:[A-Z"{]|ferry |max |--)[\s\S]*[.?}]$/.test(text));
  expect(odd.map(({ text, from }) => `${from}: ${text}`)).toEqual([]);
});

test('a hint is a sentence, and a next command can be typed', () => {
  const hints = messages.filter(({ hint }) => hint !== '' && !/[.?}']$/.test(hint));
  expect(hints.map(({ hint, from }) => `${from}: ${hint}`)).toEqual([]);
  const commands = messages.filter(
    ({ next }) => next !== '' && !/^(?:ferry |npm |chmod |sudo |unset |export |\{)/.test(next),
  );
  expect(commands.map(({ next, from }) => `${from}: ${next}`)).toEqual([]);
});

test('no message blames by another word than reason', () => {
  const labels = messages.flatMap(({ facts }) => facts.split(', '));
  expect(labels.filter((label) => label === 'why' || label === 'cause')).toEqual([]);
});
