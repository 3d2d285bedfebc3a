import { bech32Checks } from '../../checks/bech32.ts';
import type { Detector } from '../../detector.ts';
import { BECH32, coinAddress } from '../../families/coin-address.ts';

export const cardanoAddress: Detector = coinAddress({
  id: 'CARDANO_ADDRESS',
  title: 'Cardano address',
  words: ['cardano', 'ada'],
  forms: [
    { pattern: `addr1${BECH32}{98}`, check: bech32Checks },
    { pattern: `addr1${BECH32}{53}`, check: bech32Checks },
    { pattern: `stake1${BECH32}{53}`, check: bech32Checks },
  ],
  examples: {
    match: [
      'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
      'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw',
    ],
    not: [
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl9',
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl',
      'addr1 line of the form',
    ],
  },
});
