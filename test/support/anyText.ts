/** Any text at all, half surrogate pairs among it. fast-check's own takes a second to set up. */
import fc from 'fast-check';

/** Any character, those that are often special as often as all others. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0x10_ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

export function anyText(constraints: { minLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}
