/**
 * The constants of Poseidon2 over Goldilocks, width 12: poseidon_crypto, hash/poseidon2_goldilocks_plonky2, commit
 * 315971c5. Tables of hexadecimal numbers; a test compares each.
 */

/** Added to all twelve lanes before the S-boxes of the full rounds: four before and four after the partial rounds. */
export const external: readonly (readonly bigint[])[] = `
  d70193d17ab3b7d6 a2c3662a78a9162b 7a9fda827556ad44 e8d5501818c99643 4c7a8fced4d5fd38 55ab38985c0c513d
  28a17bd016210b0b 8f8277679ec32fa8 768b3c3d68a460e9 872a022eb559d941 d1316dd4b3b97973 a7b608e578321000

  3fa02c87b0bee026 7a38f0022e13c31e 00c054f3c5e8d20d 439f50f4bca7242f 4d0938aa57cd517f b2e03ac5fb6b9a7d
  e29d1f4237bedca8 05b7c844bc99b848 91cc0b73f34e17ed 876e4427694bd755 67002ae0725c612d 05351f20e0b6315f

  2e3b9ef5457eb60b d9ac17618c3783dd 0807528ad8874bcf c78d546a455d2a0e f8b930c81e2481f0 712707d8dff3b041
  dcb8c0aa0b9d34c3 9baddbdf2ee3a468 2dd16d50c5176c78 89eac5cfbc075cd3 2a741dea181587f3 1a4d6aa85a113d84

  4d736286a2387e34 8bad5dfc4fcb3ee3 84fbd03adb77c56a 8d5cdd1a23ec53a2 036f08f08fff28ec b717a3f4dbdfb443
  58a074b5509d645c f92bf834e4b87718 1541c3a0baa5ac4b 22149e6783e67692 9be8b5d9e112476f 41e0969f62babb76

  bc585ad3b9443dbb f28dd3206975cbb1 dd8815e53ca045e0 de82c416b9e701ba c5cb875233afa025 7212697cd897ffa9
  67844790aa63cfd7 dc0b9cfa97fe65c3 e8fe091869a82070 62902bb2e413c6d1 29f9f5001fb84f57 be1014796ef5f8be

  71feb53e9bdba19c 251054f592ebb71c e1a57643a4bb284b a4ba6f87a45b739b 2c1fcade0b958c49 bbb424cda9a3e360
  2ca647354c5f3f54 c9277b64d152e084 dbc9ac97445eff17 6f6cdf3198969f70 1de29d14fa76d8f1 73337458a8cc1d19

  b87e775e2fb3ab23 f166a1c7a565c80b b24be06f426c747f c281e8c49482ce00 51974c3b3b726c2d 87444cf8caf7d619
  7c362f827a580ced 9567af14667647a0 cbf0473cbec54e37 e3209dedeff4f620 d43ad94e45a4c4ee 976981ee73f41768

  ef707a224e207258 2fc779e10e6362ee 29b5ee60ad8c891f 96b37b39d8bfd667 877df68a8b22e733 5c41746f562c8d9f
  0c9d76751052b71a fb3465341bf1c087 a0d14dc614d15eb1 dc27d17136906fa6 482e163b05ec397f 0273a462992366ef
`
  .split('\n\n')
  .map(numbers);

/** Added to the first lane in the 22 partial rounds. */
export const internal: readonly bigint[] = numbers(`
  a571418d95897b60 8f32676574fcf6d3 731102d4e3fb1bbe 0330f08328a82d2b 7f0449b6557f785d 62f06210658dcbcb
  d5a98af9f89c458b 77ec69083a346385 ef7ca48bbc27f890 53e9652f61eac532 a71c634abff4f0cc b16f5f0d7e28ea29
  c9dde31d0a003ab2 2ddadf9775902533 e4fa73fb16408b47 90242ebc00d2ee59 bb02dffd9f381982 dea328364c50907c
  1395d3b924857cf8 7d3ead0d5aec04e6 c2f12be3fed74668 0ba3c338f8c3d285
`);

/** The diagonal of the internal matrix: the factor of each lane in a partial round, before the sum is added. */
export const diagonal: readonly bigint[] = numbers(`
  c3b6c08e23ba9300 d84b5de94a324fb6 0d0c371c5b35b84f 7964f570e7188037 5daf18bbd996604b 6743bc47b9595257
  5528b9362c59bb70 ac45e25b7127b68b a2077d7dfbb606b5 f3faac6faee378ae 0c6388b51545e883 d27dbb6944917b60
`);

function numbers(table: string): bigint[] {
  return table
    .trim()
    .split(/\s+/)
    .map((digits) => BigInt(`0x${digits}`));
}
