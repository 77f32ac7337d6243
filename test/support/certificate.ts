/** Fresh self-signed certificates. Node can read X.509 but not write it. */
import { generateKeyPairSync, sign } from 'node:crypto';

export type Certificate = { key: string; cert: string };

const day = 86_400_000;

/** A certificate for this machine, from yesterday to tomorrow. */
export function selfSigned(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'));
  const name = sequence(tagged(0x31, sequence(hex('0603550403'), tagged(0x0c, Buffer.from('127.0.0.1')))));
  const time = (date: Date) => tagged(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')));
  const validity = sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day)));
  const alternativeName = sequence(tagged(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = tagged(0xa3, sequence(sequence(hex('0603551d11'), tagged(0x04, alternativeName))));
  const body = sequence(
    hex('a003020102'), // version 3
    hex('020101'), // serial number 1
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = tagged(0x03, Buffer.concat([hex('00'), sign('sha256', body, privateKey)]));
  const der = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
