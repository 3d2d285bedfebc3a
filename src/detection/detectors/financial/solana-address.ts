import { base58Decode } from '../../checks/base58check.ts';
import type { Detector } from '../../detector.ts';
import { BASE58, coinAddress } from '../../families/coin-address.ts';

/** Nothing but a public key in base 58: 32 bytes without any checksum, so it needs its label. */
export const solanaAddress: Detector = coinAddress({
  id: 'SOLANA_ADDRESS',
  title: 'Solana address',
  confidence: 0.8,
  words: ['solana', 'sol', 'phantom', 'spl', 'pubkey', 'lamports'],
  forms: [
    {
      pattern: `${BASE58}{32,44}`,
      check: (text) => base58Decode(text, 32) !== null && /\d/.test(text),
      labelled: true,
    },
  ],
  examples: {
    match: [
      {
        text: 'Solana wallet: 7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
        value: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
      },
      {
        text: 'SOL TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        value: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      },
      { text: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', field: 'sol_address' },
    ],
    not: [
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'Solana wallet: TokenkegQfeZyiNwAJbNbGKPFXCWuB',
      'SOL TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5D0',
    ],
  },
});
