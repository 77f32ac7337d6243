/** What a group of commands such as `config` is for. */
export const groups: Readonly<Record<string, string>> = {
  venue: 'Deposits to and withdrawals from the venue',
  fees: 'What transfers cost',
  runs: 'Transfers begun on this machine, and their journals',
  requests: 'What became of transfers, from the service’s records',
  contracts: 'The contracts that may hold funds',
  delegation: 'Who may act for an account without gas',
  allowance: 'What may be taken of an account’s tokens',
  key: 'Keys in encrypted files',
  config: 'Settings and where they come from',
  sandbox: 'The whole service on this machine',
};
