/**
 * The results of `ferry smoke` as JUnit XML, for CI systems that display test results. There is no single standard, so
 * the output satisfies the schemas of both Jenkins' xUnit plugin and Ant's JUnit task.
 */

import * as TerminalText from '../text/TerminalText.js';
import type { Report, Result } from './SmokeReport.js';
import { formatCheck, reasonOf } from './SmokeReport.js';
import * as Xml from './Xml.js';

/** The XML document. External texts are escaped for a terminal first, because CI logs are often printed on one. */
export function format(report: Report, network: string): string {
  const { results, unmet, errors, skipped, seconds, startedAt } = report;
  const attributes = {
    name: 'ferry smoke',
    package: 'ferry',
    id: '0',
    // UTC without a zone designator, as the schema requires.
    timestamp: new Date(startedAt).toISOString().slice(0, 19),
    // Required by the schema; a fixed value avoids disclosing the machine's name.
    hostname: 'localhost',
    tests: results.length,
    failures: unmet,
    errors,
    skipped,
    time: toTime(seconds),
  };
  const suite = Xml.element('testsuite', attributes, [
    Xml.element('properties', {}, properties(report, network)),
    ...results.map((each) => toCase(each, network)),
    Xml.element('system-out', {}, results.flatMap(attempts).join('\n')),
    Xml.element('system-err', {}),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${Xml.element('testsuites', {}, [suite])}\n`;
}

function properties({ file, version, budget }: Report, network: string): Xml.Node[] {
  const { caps, spent } = budget;
  const rows: [string, string][] = [
    ['network', network],
    ['ferry', version],
    ['file', file === null ? 'built in' : TerminalText.escape(file)],
    ...caps.flatMap(({ source, usd, tokens }) => [
      ...(usd === null ? [] : [[source, `$${usd}`] as [string, string]]),
      ...tokens.map(({ currency, amount }): [string, string] => [source, `${amount} ${currency}`]),
    ]),
    ['spent', `$${spent.usd}`],
  ];
  return rows.map(([name, value]) => Xml.element('property', { name, value }));
}

function toCase(result: Result, network: string): Xml.Node {
  const { name, verdict, seconds, error } = result;
  const attributes = { name: TerminalText.escape(name), classname: `ferry.smoke.${network}`, time: toTime(seconds) };
  if (verdict === 'met') return Xml.element('testcase', attributes);
  if (verdict === 'skipped')
    return Xml.element('testcase', attributes, [Xml.element('skipped', { message: 'not run' })]);
  const isError = verdict === 'error';
  const type = isError ? (error?.code ?? 'error') : (result.checks.find(({ met }) => !met)?.what ?? 'expect.unmet');
  const message = TerminalText.escape(reasonOf(result));
  const why = Xml.element(isError ? 'error' : 'failure', { message, type }, details(result).join('\n'));
  return Xml.element('testcase', attributes, [why]);
}

/** Everything that helps to find the cause. */
function details(result: Result): string[] {
  const { route, does, checks, error, funds, requestId, run } = result;
  const lines = [
    `${does} ${route}`,
    ...checks.map((check) => `${check.met ? 'met' : 'not met'}: ${formatCheck(check)}`),
    ...(error ? [`${error.code}: ${error.message}`, ...error.facts, ...(error.hint ? [error.hint] : [])] : []),
    `funds: ${funds}`,
    ...(requestId === null ? [] : [`request: ${requestId}`]),
    ...(run === null ? [] : [`run: ${run}`]),
    ...(error?.next ? [`next: ${error.next}`] : []),
  ];
  return [...lines, ...attempts(result)].map(TerminalText.escape);
}

/** A line for each attempt that was retried. */
function attempts({ name, failedAttempts }: Result): string[] {
  return failedAttempts.map(({ code, message, seconds }, index) =>
    TerminalText.escape(`${name}: attempt ${index + 1} failed after ${seconds} s and was retried. ${code}: ${message}`),
  );
}

/** Seconds with three decimals, never in exponent notation. */
function toTime(seconds: number): string {
  return seconds.toFixed(3);
}
