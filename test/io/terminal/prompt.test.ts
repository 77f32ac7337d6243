import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Prompt } from '../../../src/core/ports/Ports.js';
import { createPrompt } from '../../../src/io/terminal/prompt.js';

type Terminal = { input: PassThrough; output: PassThrough; shown: () => string; signal: AbortSignal };

function terminal(signal = new AbortController().signal): Terminal {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  // Like the process's own streams, the output is not closed by a stream that is piped into it.
  output.end = () => output;
  let text = '';
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { input, output, shown: () => text, signal };
}

/** Asks, and waits until the question is shown. */
async function asking<T>(put: (prompt: Prompt) => Promise<T>, question: string, signal?: AbortSignal) {
  const { shown, ...rest } = terminal(signal);
  const asked = put(createPrompt({ interactive: true, ...rest }));
  // Whoever expects a failure looks at it later.
  asked.catch(() => {});
  await expect.poll(shown).toContain(question);
  return { ...rest, shown, asked };
}

describe('confirm', () => {
  test.each([
    ['y\n', undefined, true],
    ['yes\n', undefined, true],
    ['n\n', undefined, false],
    ['\n', undefined, false],
    ['\n', 'yes', true],
  ] as const)('behavior: %j, where Enter means %s, is %s', async (typed, enter, answer) => {
    const { input, asked } = await asking((prompt) => prompt.confirm('Send 100 USDC?', enter), 'Send 100 USDC?');
    input.write(typed);
    expect(await asked).toBe(answer);
  });

  test('behavior: neither yes nor no is asked again, with nothing kept of it', async () => {
    const { input, shown, asked } = await asking((prompt) => prompt.confirm('Send 100 USDC?'), 'Send 100 USDC? (y/N)');
    input.write('maybe\n');
    await expect.poll(shown).toContain('Answer y or n. Send 100 USDC? (y/N)');
    input.write('y\n');
    expect(await asked).toBe(true);
    expect(shown()).not.toContain('maybey');
  });

  test('behavior: what was typed before the question, or pasted with the answer to another, is no answer', async () => {
    const { input, shown, ...rest } = terminal();
    const prompt = createPrompt({ interactive: true, input, ...rest });
    input.write('y\n');
    const first = prompt.confirm('First?');
    await expect.poll(shown).toContain('First?');
    input.write('y\ny\n');
    expect(await first).toBe(true);
    const second = prompt.confirm('Second?');
    await expect.poll(shown).toContain('Second?');
    input.write('n\n');
    expect(await second).toBe(false);
  });

  test.each([['y\n'], ['n\n'], ['\u0003']])('behavior: a secret above the question is gone after %j', async (typed) => {
    const put = (prompt: Prompt) => prompt.confirm('Written down?', 'no', 'abandon\n zoo\n\n');
    const { input, shown, asked } = await asking(put, 'Written down?');
    expect(shown()).toContain('zoo');
    input.write(typed);
    await asked.catch(() => {});
    const erased = shown().lastIndexOf('\u001b[1A');
    expect(erased).toBeGreaterThan(0);
    expect(shown().slice(erased)).not.toMatch(/abandon|zoo/);
  });

  test('attack: a question from elsewhere neither clears the screen nor turns its end around', async () => {
    const { input, shown, asked } = await asking((prompt) => prompt.confirm('Pay\u001b[2J\u202eeve?'), 'Pay');
    input.write('y\n');
    expect(await asked).toBe(true);
    expect(shown()).toContain('Pay\\x1b[2J\\u{202e}eve? yes');
    expect(['\u001b[2J', '\u202e'].filter((each) => shown().includes(each))).toEqual([]);
  });

  test.each<[what: string, act: (input: PassThrough) => unknown]>([
    ['Ctrl-C', (input) => input.write('\u0003')],
    ['Ctrl-D', (input) => input.write('\u0004')],
    ['the input ends', (input) => input.end()],
  ])('error: %s', async (_, act) => {
    const { input, asked } = await asking((prompt) => prompt.confirm('Send?'), 'Send?');
    act(input);
    await expect(asked).rejects.toMatchObject({ code: 'prompt.declined', exit: 11, funds: 'untouched' });
  });

  test('attack: what lies in the terminal when an answer has come from elsewhere does not pay', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // Of a pipe of the system's, so that it is read as a terminal is: when the event loop comes to it.
    const keyboard = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [typing] = (await once(server, 'connection')) as [Socket];
    onTestFinished(() => {
      for (const each of [typing, keyboard]) each.destroy();
      server.close();
    });
    const input = Object.assign(keyboard.pause(), { isTTY: true, setRawMode: () => {} });
    const { output, shown, signal } = terminal();
    const prompt = createPrompt({ interactive: true, input, output, signal });
    await new Promise((resolve) => typing.write('y\n', resolve));
    // The event loop goes on where the disk has answered, before it looks at what was typed.
    await readFile(fileURLToPath(import.meta.url));
    const asked = prompt.confirm('Send 100 USDC?');
    await expect.poll(shown).toContain('Send 100 USDC? (y/N)');
    typing.write('n\n');
    expect(await asked).toBe(false);
  });

  test('error: the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('SIGTERM');
    const { asked } = await asking((prompt) => prompt.confirm('Send?'), 'Send?', controller.signal);
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });

  test('error: no terminal', async () => {
    const { shown, ...rest } = terminal();
    await expect(createPrompt({ interactive: false, ...rest }).confirm('Send?')).rejects.toMatchObject({
      code: 'prompt.unavailable',
      exit: 2,
    });
    expect(shown()).toBe('');
  });
});

test.each(['correct horse', ''])('password: %j, which is not shown', async (answer) => {
  const { input, shown, asked } = await asking((prompt) => prompt.password('Password of main?'), 'Password of main?');
  input.write(`${answer}\n`);
  expect(await asked).toBe(answer);
  expect(shown()).not.toContain('correct');
});

describe('text', () => {
  test('default', async () => {
    const { input, asked } = await asking((prompt) => prompt.text('Name of the network'), 'Name of the network');
    input.write(' staging \n');
    expect(await asked).toBe('staging');
  });

  test('behavior: shows an objection, and accepts a corrected answer', async () => {
    const objected: string[] = [];
    const object = async (answer: string) => {
      objected.push(answer);
      return answer === 'good' ? undefined : 'That is not one.';
    };
    const { input, shown, asked } = await asking((prompt) => prompt.text('URL', object), 'URL');
    input.write('bad\n');
    await expect.poll(shown).toContain('That is not one.');
    // Ctrl-U clears the line.
    input.write('\u0015good\n');
    expect(await asked).toBe('good');
    expect(objected).toEqual(['bad', 'good']);
  });

  test('error: Ctrl-C while an answer is being validated', async () => {
    let isLooking = false;
    const object = () => {
      isLooking = true;
      return new Promise<undefined>(() => {});
    };
    const { input, asked } = await asking((prompt) => prompt.text('URL', object), 'URL');
    input.write('slow\n');
    await expect.poll(() => isLooking).toBe(true);
    input.write('\u0003');
    await expect(asked).rejects.toMatchObject({ code: 'prompt.declined' });
  });
});

test('choose', async () => {
  const choices = [
    { value: 'sandbox', description: 'on this machine' },
    { value: 'testnet', description: 'without real money' },
  ] as const;
  const { input, shown, asked } = await asking((prompt) => prompt.choose('Which network?', choices), 'on this machine');
  input.write('\u001b[B');
  await expect.poll(shown).toContain('without real money');
  input.write('\n');
  expect(await asked).toBe('testnet');
});

describe('search', () => {
  const all = ['alpha/usdc', 'beta/usdc', 'beta/gull'];
  const find = async (term: string) =>
    all.filter((each) => each.includes(term)).map((value) => ({ value, description: `${value} 5` }));

  test('default: typing filters the list, and Enter selects the first', async () => {
    const { input, shown, asked } = await asking((prompt) => prompt.search('Which one?', find), 'alpha/usdc 5');
    input.write('gull');
    await expect.poll(() => shown().lastIndexOf('beta/gull 5') > shown().lastIndexOf('alpha/usdc 5')).toBe(true);
    input.write('\n');
    expect(await asked).toBe('beta/gull');
  });

  test('behavior: a pasted line keeps its Enter until what it names is found', async () => {
    let answer = (): void => {};
    const isAsked = new Promise<void>((asked) => {
      answer = asked;
    });
    const found = async (term: string) => {
      if (term !== '') await isAsked;
      return find(term);
    };
    const { input, asked } = await asking((prompt) => prompt.search('Which one?', found), 'alpha/usdc');
    input.write('beta/gull\r');
    await new Promise(setImmediate);
    answer();
    expect(await asked).toBe('beta/gull');
  });
});

describe('widths', () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const amount = '1,234,567.891234';

  /** The words that a terminal is given, without what moves its cursor. */
  function wordsOf(text: string): string[] {
    return text
      .split('\u001b[')
      .flatMap((part, index) => (index === 0 ? part : part.replace(/^[0-9;?]*[A-Za-z]/, ' ')).split(/\s+/))
      .filter((word) => word !== '');
  }

  test.each([44, 60, 80])(
    'behavior: at %i columns, no question, choice or objection breaks in a word',
    async (columns) => {
      const { input, output, shown, signal } = terminal();
      Object.assign(output, { columns });
      const prompt = createPrompt({ interactive: true, input, output, signal });
      const question = `Send ${amount} USDC from alpha to the recipient ${address}, who receives it on beta?`;
      const confirmed = prompt.confirm(question);
      await expect.poll(shown).toContain('(y/N)');
      input.write('y\n');
      expect(await confirmed).toBe(true);
      const objection = `That is more than there is: ${amount} ${address}`;
      const typed = prompt.text('How much?', async (text) => (text === '1' ? undefined : objection));
      await expect.poll(shown).toContain('How much?');
      input.write('2\n');
      await expect.poll(shown).toContain('That is more');
      input.write('\u007f1\n');
      expect(await typed).toBe('1');
      const whole = new Set(`? ✔ > (y/N) y yes How much? 2 1 ${question} ${objection}`.split(' '));
      const broken = wordsOf(shown()).filter((word) => !whole.has(word));
      expect(broken).toEqual([]);
    },
  );

  test.each([30, 40])('behavior: at %i columns, nor does what the keys do', async (columns) => {
    const { input, output, shown, signal } = terminal();
    Object.assign(output, { columns });
    const prompt = createPrompt({ interactive: true, input, output, signal });
    const chosen = prompt.choose('Which?', [{ value: 'a', description: 'One' }]);
    await expect.poll(shown).toContain('Move');
    input.write('\r');
    expect(await chosen).toBe('a');
    const found = prompt.search('Which of them?', async () => [{ value: 'a', description: 'One' }]);
    await expect.poll(shown).toContain('Type');
    input.write('\r');
    expect(await found).toBe('a');
    const tips = 'Type to filter, move Move with the arrow keys, select with Enter.';
    const whole = new Set(`? ✔ ❯ a One Which? Which of them? ${tips}`.split(' '));
    expect(wordsOf(shown()).filter((word) => !whole.has(word))).toEqual([]);
  });
});
