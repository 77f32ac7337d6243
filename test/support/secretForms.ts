/** The forms in which a secret may be printed by accident, made with Node's own encoders. */

/** Each form with its name. */
export function formsOf(secret: string): [name: string, form: string][] {
  const digits = /^(?:0x)?((?:[0-9a-f]{2}){16,})$/i.exec(secret)?.[1];
  const hex = Buffer.from(secret).toString('hex');
  const json = JSON.stringify(secret).slice(1, -1);
  const forms: [string, string][] = [
    ['as it is', secret],
    ['upper case', secret.toUpperCase()],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded, in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['as a query', new URLSearchParams({ k: secret }).toString().slice(2)],
    ['as the password of a URL', Object.assign(new URL('http://ada@h'), { password: secret }).password],
    ['as JSON', json],
    ['as JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['as ASCII JSON', ascii(secret)],
    ['as HTML', html(secret)],
    ['in quotes of a shell', secret.replaceAll(/['\\]/g, "'\\$&'")],
    ['as base64', base64(secret)],
    ['as base64 without padding', base64(secret).replace(/=+$/, '')],
    ['as base64url', Buffer.from(secret).toString('base64url')],
    ['as percent-encoded base64', encodeURIComponent(base64(secret))],
    ['as hex', hex],
    ['as hex in upper case', hex.toUpperCase()],
    ['as hex with a prefix', `0x${hex}`],
  ];
  if (digits === undefined) return forms;
  const bytes = Buffer.from(digits, 'hex');
  return [
    // Digits of digits are no form of a number.
    ...forms.filter(([name]) => !name.startsWith('as hex')),
    ['its digits', digits],
    ['its digits with a prefix', `0x${digits}`],
    ['its digits in base64', base64(digits)],
    ['its digits in hex', Buffer.from(digits).toString('hex')],
    ['its bytes in base64', bytes.toString('base64')],
    ['its bytes in base64url', bytes.toString('base64url')],
    ['its number', BigInt(`0x${digits}`).toString()],
  ];
}

/** The forms of the user information of a URL, as HTTP's Basic scheme sends them. */
export function basicFormsOf(user: string, password: string): [name: string, form: string][] {
  return formsOf(`${user}:${password}`).map(([name, form]) => [`user and password ${name}`, form]);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function ascii(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function html(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '');
}
